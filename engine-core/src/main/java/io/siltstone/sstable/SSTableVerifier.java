package io.siltstone.sstable;

import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Verifies an SSTable: reads all of it and checks that its files agree with each other, which
 * includes checksums, order, sizes, the index with its blocks, filter, summary, statistics, and
 * every value against its type.
 *
 * <p>The first defect is thrown as {@link CorruptSSTableException}. Memory does not grow with the
 * SSTable. Nothing is kept from one run to the next. Safe for use by all threads.
 */
public final class SSTableVerifier {
  private final SSTable table;

  /** Creates a verifier of an open SSTable, which stays open. */
  public SSTableVerifier(SSTable table) {
    this.table = table;
  }

  /**
   * The number of partitions, rows and cells that were read.
   *
   * @param rows number, without static rows
   * @param overcounted number of rows, including static rows, that the statistics count and the
   *     data does not have: Cassandra's scrub counts those of a partition that it gives up
   */
  public record Result(long partitions, long rows, long cells, long markers, long overcounted) {}

  /**
   * Verifies as much as the level requires.
   *
   * @throws CorruptSSTableException if a file is damaged, naming it
   */
  public void verify(VerificationLevel level) throws IOException {
    if (level == VerificationLevel.NONE) {
      return;
    }
    table.verifyDigest();
    try (IndexVerification index = IndexVerification.of(table)) {
      new ChecksumVerification(table, index).run();
    }
    boolean isProven = table.hasDigest() || table.hasChecksums();
    if (level == VerificationLevel.FULL || !isProven) {
      Result unused = verifyContent(position -> {});
    }
  }

  /**
   * Checks everything.
   *
   * @param progress receives the number of uncompressed bytes read so far, at intervals
   */
  public Result verify(LongConsumer progress) throws IOException {
    table.verifyDigest();
    return verifyContent(progress);
  }

  /** Verifies everything except {@code Digest.crc32}; otherwise as {@link #verify}. */
  public Result verifyContent(LongConsumer progress) throws IOException {
    try (DataCursor data = table.scan();
        IndexVerification index = IndexVerification.of(table)) {
      return new Verification(table, data, index).run(progress);
    }
  }
}
