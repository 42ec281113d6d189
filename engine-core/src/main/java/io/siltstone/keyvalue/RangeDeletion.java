package io.siltstone.keyvalue;

import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.mutation.Mutation;
import io.siltstone.mutation.MutationFactory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.table.MutationWriter;
import io.siltstone.table.read.TableSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The deletion of a range of keys: deletes the entries that existed at a certain moment, batch by
 * batch. The range is read again for each batch, so that no snapshot is held while a batch is
 * written: the write may have to wait for memory, which a flush must be able to free.
 *
 * <p>Entries that are put meanwhile have greater timestamps than that moment, and are skipped. So
 * there are no more batches than the first entries fill. Confined to one thread, for one use.
 */
final class RangeDeletion {
  /** The maximum number of entries of a batch. */
  private static final int MAX_ENTRIES = 1024;

  /**
   * The maximum number of bytes of a batch, unless a single deletion is larger. It is a small part
   * of the memory of any memtables.
   */
  private static final int MAX_BYTES = 256 << 10;

  private final KeyValueTable of;
  private final MutationWriter writer;
  private final long untilMicros;
  private final @Nullable PartitionKey to;
  private final int maxBytes;
  // Where the next batch begins; null after the last one.
  private @Nullable PartitionKey from;

  /**
   * @param range with a first key
   * @param untilMicros the timestamp of the deletions
   */
  RangeDeletion(KeyValueTable of, MutationWriter writer, PartitionRange range, long untilMicros) {
    this.of = of;
    this.writer = writer;
    this.untilMicros = untilMicros;
    this.from = range.from();
    this.to = range.to();
    this.maxBytes = Math.min(MAX_BYTES, writer.maxRecordBytes());
  }

  /**
   * Deletes the entries.
   *
   * @return the log's position after the last batch
   */
  long run() throws IOException {
    long position = MutationWriter.NOTHING;
    while (from != null) {
      position = Math.max(position, writer.write(nextBatch(from)));
    }
    return position;
  }

  private List<Mutation> nextBatch(PartitionKey first) throws IOException {
    List<Mutation> batch = new ArrayList<>();
    long bytes = 0;
    from = null;
    try (TableSnapshot present = of.present();
        PartitionCursor cursor =
            present.open(new Read.OfRange(new PartitionRange(first, to), true))) {
      long now = of.nowSeconds();
      while (from == null && KeyValueTable.goToEntry(cursor, to, now, null)) {
        if (cursor.unfiltered().cellTimestamp() <= untilMicros) {
          Mutation deletion = of.delete(cursor.key(), untilMicros, now);
          bytes += LogRecord.partBytes(deletion.serializedSize());
          if (batch.isEmpty() || (batch.size() < MAX_ENTRIES && bytes <= maxBytes)) {
            batch.add(deletion);
          } else {
            from = MutationFactory.keyOf(deletion);
          }
        }
      }
    }
    return batch;
  }
}
