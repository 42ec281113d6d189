package io.siltstone.spi;

import io.siltstone.partitioner.Partitioner;
import java.util.List;

/**
 * The live SSTables of a table at one moment. Immutable; holds no file and no memory off-heap.
 *
 * @param tables by first key
 * @param partitioner that orders their keys
 * @param memtableMinTimestamp at most the least timestamp of anything in a memtable, in
 *     microseconds; {@link Long#MAX_VALUE} if there is nothing
 * @param flushBytes of the data files that one flush leaves, on the average of the last ones; 0 if
 *     there was none since the table was opened
 */
public record LiveTables(
    List<LiveTable> tables, Partitioner partitioner, long memtableMinTimestamp, long flushBytes) {
  /** Copies the list. */
  public LiveTables {
    tables = List.copyOf(tables);
  }

  /** Other tables, in all else the same. */
  public LiveTables with(List<LiveTable> others) {
    return new LiveTables(others, partitioner, memtableMinTimestamp, flushBytes);
  }

  /** Returns the number of bytes of all data files. */
  public long onDiskBytes() {
    return tables.stream().mapToLong(LiveTable::onDiskBytes).sum();
  }
}
