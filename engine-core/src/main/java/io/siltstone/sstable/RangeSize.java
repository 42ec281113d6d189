package io.siltstone.sstable;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.big.IndexCursor;
import io.siltstone.sstable.big.IndexSummary;
import io.siltstone.sstable.data.FileReads;
import java.io.IOException;

/**
 * The size of a range of partitions of an SSTable, by its index. Reads no data, and of the index
 * only the places where the range begins and ends.
 *
 * @param partitions their number: exact, or estimated from samples if there are many in the range
 * @param dataBytes their size before compression
 */
public record RangeSize(long partitions, long dataBytes) {
  private static final RangeSize NOTHING = new RangeSize(0, 0);

  // An estimate from so many samples is wrong by two of them at most.
  private static final int LEAST_SAMPLES = 32;

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
    IndexSummary summary = table.summary();
    int firstSample = hasFirst || from == null ? 0 : Math.max(0, summary.floorIndex(from));
    int lastSample =
        hasLast || to == null ? summary.size() - 1 : Math.max(0, summary.floorIndex(to));
    long fromPosition = 0;
    long toPosition = table.dataLength();
    long fromEntry = summary.position(firstSample);
    long toEntry = table.indexLength();
    try (PartitionLookup lookup = table.lookup(new FileReads())) {
      if (!hasFirst && from != null && lookup.seekCeiling(from)) {
        fromPosition = lookup.dataPosition();
        fromEntry = lookup.entryPosition();
      }
      if (!hasLast && to != null && lookup.seekCeiling(to)) {
        toPosition = lookup.dataPosition();
        toEntry = lookup.entryPosition();
      }
    }
    long partitions =
        lastSample - firstSample >= LEAST_SAMPLES
            ? Math.round((double) all * (lastSample - firstSample) / summary.size())
            : count(table, fromEntry, toEntry);
    return new RangeSize(partitions, Math.max(0, toPosition - fromPosition));
  }

  private static long count(SSTable table, long fromEntry, long toEntry) throws IOException {
    long count = 0;
    try (IndexCursor entries = table.indexEntries()) {
      entries.seek(fromEntry);
      while (entries.next() && entries.position() < toEntry) {
        count++;
      }
    }
    return count;
  }
}
