package io.siltstone.sstable;

import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.SequentialAccess;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.data.ByteSource;
import io.siltstone.sstable.data.ByteWindow;
import io.siltstone.sstable.data.DataCursor;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.index.PartitionLookup;
import java.io.IOException;
import java.util.function.BiFunction;

/**
 * Opens scans of ranges of partitions: looks the ends of a range up in the index and opens a {@link
 * DataCursor} between their positions in the data. The cursor checks its keys against the index,
 * which has no checksum.
 *
 * @param data of the table
 * @param access read-ahead and rate of the scan
 */
record RangeScan(SSTable table, ChunkedFile data, SequentialAccess access) {
  private static final int WINDOW_BYTES = 128 * 1024;

  /** Opens a cursor over a range of partitions. The caller closes it. */
  DataCursor open(PartitionRange range) throws IOException {
    PartitionKey first = range.from();
    PartitionKey last = range.to();
    if (first == null && last == null) {
      return open(0, data.length());
    }
    long from = 0;
    long to = data.length();
    long fromEntry = 0;
    long toEntry = table.index().length();
    PartitionKey begin = new PartitionKey();
    try (PartitionLookup lookup = table.lookup()) {
      if (first != null) {
        boolean isThere = lookup.seekCeiling(first);
        from = isThere ? lookup.dataPosition() : data.length();
        fromEntry = lookup.entryPosition();
        begin.copyFrom(isThere ? lookup.key() : first);
      }
      if (last != null && lookup.seekCeiling(last)) {
        to = lookup.dataPosition();
        toEntry = lookup.entryPosition();
      }
    }
    if (from > to || to > data.length()) {
      throw table.indexCorrupt(
          from > data.length() ? fromEntry : toEntry,
          "partitions from " + from + " to " + to + " of " + data.length());
    }
    DataCursor cursor = open(from, to);
    cursor.expect(
        first == null || from == to ? null : begin, last, misplaced(from, fromEntry, toEntry));
    return cursor;
  }

  private BiFunction<Long, String, CorruptSSTableException> misplaced(
      long from, long fromEntry, long toEntry) {
    return (position, reason) -> table.indexCorrupt(position == from ? fromEntry : toEntry, reason);
  }

  private DataCursor open(long from, long to) throws IOException {
    ByteSource source = ByteSource.of(data.openSequential(access, from, to));
    // A scan with little read-ahead is one of very many at once, for which heap is short too; and
    // small SSTables are frequent.
    long useful = Math.min(to - from, access.readAheadBytes());
    int capacity = (int) Math.min(WINDOW_BYTES, Math.max(2L * source.unit(), useful));
    ByteWindow window = new ByteWindow(source, Component.DATA, capacity, true);
    window.seek(from);
    return new DataCursor(
        window, table.encoding(), table.descriptor().version(), table.partitioner(), to);
  }
}
