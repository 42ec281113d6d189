package io.siltstone.spi;

import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.partitioner.Partitioner;
import java.util.List;

/**
 * The live SSTables of a table at one moment. Immutable; holds no file and no memory off-heap.
 *
 * @param tables by first key
 * @param partitioner that orders their keys
 * @param memtableMinTimestamp lower bound of all timestamps in memtables, in microseconds; {@link
 *     Long#MAX_VALUE} if they are empty
 * @param flushBytes average size of the data files of the last flushes; 0 if there was none since
 *     the table was opened
 */
public record LiveTables(
    List<LiveTable> tables, Partitioner partitioner, long memtableMinTimestamp, long flushBytes) {
  /** Copies the list. */
  public LiveTables {
    tables = List.copyOf(tables);
  }

  /** Returns a copy with other tables. */
  public LiveTables with(List<LiveTable> others) {
    return new LiveTables(others, partitioner, memtableMinTimestamp, flushBytes);
  }

  /** Returns the metadata of the SSTables as users see it, by first key. */
  public List<LiveSSTable> forUsers() {
    return tables.stream().map(LiveTable::forUsers).toList();
  }

  /** Returns the number of bytes of all data files. */
  public long onDiskBytes() {
    return tables.stream().mapToLong(LiveTable::onDiskBytes).sum();
  }
}
