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
 * Deletes what the entries of a range of keys had until a moment, batch by batch. The range is
 * opened anew for each batch, so that nothing is held while it is written: a write may have to wait
 * for memory that a flush must be able to free.
 *
 * <p>What is put meanwhile is newer than the moment, and passed over. So there are no more batches
 * than what was there at first fills. Confined to one thread, for one use.
 */
final class RangeDeletion {
  /** Most entries of a batch. */
  private static final int MAX_ENTRIES = 1024;

  /** Most bytes of a batch, unless one deletion alone has more: a fraction of any memtables. */
  private static final int MAX_BYTES = 256 << 10;

  private final KeyValueTable of;
  private final MutationWriter writer;
  private final long untilMicros;
  private final @Nullable PartitionKey to;
  private final int maxBytes;
  // Where the next batch begins; null behind the last one.
  private @Nullable PartitionKey from;

  /**
   * @param range with a beginning
   * @param untilMicros timestamp of the deletions
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
   * Deletes all of them.
   *
   * @return the log's position behind the last batch
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
      while (from == null && KeyValueTable.goToEntry(cursor, to, now)) {
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
