package io.siltstone.sstable;

import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.sstable.big.IndexBlocks;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Reads a whole table and checks that its files tell the same story: checksums, order, sizes, the
 * index with its blocks, filter, summary, statistics, and every value against its type.
 *
 * <p>The first thing that is wrong is thrown as {@link CorruptSSTableException}. Memory does not
 * grow with the table. Nothing is kept from one run for the next. Safe for all threads.
 */
public final class SSTableVerifier {
  private final SSTable table;

  /** Of an open table, which stays open. */
  public SSTableVerifier(SSTable table) {
    this.table = table;
  }

  /**
   * What was read.
   *
   * @param rows without static ones
   * @param overcounted rows that the statistics count and that are not there, static ones included:
   *     Cassandra's scrub counts those of a partition that it gives up
   */
  public record Result(long partitions, long rows, long cells, long markers, long overcounted) {}

  /**
   * Checks as much as a level asks for.
   *
   * @throws CorruptSSTableException if a file is damaged, naming it
   */
  public void verify(VerificationLevel level) throws IOException {
    if (level == VerificationLevel.NONE) {
      return;
    }
    table.verifyDigest();
    try (IndexCursor index = table.indexEntries()) {
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
   * @param progress told the bytes of uncompressed data read so far, from time to time
   */
  public Result verify(LongConsumer progress) throws IOException {
    table.verifyDigest();
    return verifyContent(progress);
  }

  /** As {@link #verify}, but for {@code Digest.crc32}. */
  public Result verifyContent(LongConsumer progress) throws IOException {
    try (DataCursor data = table.scan();
        IndexCursor index = table.indexEntries();
        IndexBlocks blocks = table.indexBlocks()) {
      return new Verification(table, data, index, blocks).run(progress);
    }
  }
}
