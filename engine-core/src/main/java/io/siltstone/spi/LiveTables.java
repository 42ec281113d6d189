package io.siltstone.spi;

import java.util.List;

/**
 * The live SSTables of a table at one moment. Immutable; holds no file and no memory off-heap.
 *
 * @param tables by first key
 */
public record LiveTables(List<LiveTable> tables) {
  /** Copies the list. */
  public LiveTables {
    tables = List.copyOf(tables);
  }

  /** Bytes of all data files. */
  public long onDiskBytes() {
    return tables.stream().mapToLong(LiveTable::onDiskBytes).sum();
  }
}
