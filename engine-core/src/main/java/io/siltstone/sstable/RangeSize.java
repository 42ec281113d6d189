package io.siltstone.sstable;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.PartitionLookup;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The size of a range of partitions of an SSTable, by its index. Reads no data, and of the index
 * only the places where the range begins and ends.
 *
 * @param partitions their number: exact, or estimated from samples if there are many in the range
 * @param dataBytes their size before compression
 */
public record RangeSize(long partitions, long dataBytes) {
  private static final RangeSize NOTHING = new RangeSize(0, 0);

  /** Returns the size of a range of an SSTable. */
  public static RangeSize of(SSTable table, PartitionRange range) throws IOException {
    PartitionKey from = range.from();
    PartitionKey to = range.to();
    if (!range.overlaps(table.firstKey(), table.lastKey())) {
      return NOTHING;
    }
    boolean hasFirst = from == null || from.compareTo(table.firstKey()) <= 0;
    boolean hasLast = to == null || to.compareTo(table.lastKey()) > 0;
    long all = table.statistics().stats().partitionSizes().count();
    if (hasFirst && hasLast) {
      return new RangeSize(all, table.dataLength());
    }
    long fromPosition = 0;
    long toPosition = table.dataLength();
    try (PartitionLookup lookup = table.lookup()) {
      if (!hasFirst && from != null && lookup.seekCeiling(from)) {
        fromPosition = lookup.dataPosition();
      }
      if (!hasLast && to != null && lookup.seekCeiling(to)) {
        toPosition = lookup.dataPosition();
      }
    }
    long bytes = Math.max(0, toPosition - fromPosition);
    long estimated =
        table
            .index()
            .estimatedKeys(
                hasFirst ? null : from,
                hasLast ? null : to,
                all,
                (double) bytes / table.dataLength());
    long partitions =
        estimated >= 0 ? estimated : count(table, hasFirst ? null : from, fromPosition, toPosition);
    return new RangeSize(partitions, bytes);
  }

  private static long count(
      SSTable table, @Nullable PartitionKey from, long fromPosition, long toPosition)
      throws IOException {
    long count = 0;
    try (KeyEntries entries = table.indexEntries()) {
      if (from != null) {
        entries.seek(from);
      }
      while (entries.next() && entries.dataPosition() < toPosition) {
        if (entries.dataPosition() >= fromPosition) {
          count++;
        }
      }
    }
    return count;
  }
}
