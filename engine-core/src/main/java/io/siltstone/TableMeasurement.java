package io.siltstone;

import io.siltstone.liveset.View;
import io.siltstone.maintenance.CompactionState;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.StoredSummary;
import io.siltstone.table.TableStore;
import java.io.IOException;
import java.util.List;

/** Measures a table of an open database. Called inside the gate of the database. */
final class TableMeasurement {
  private TableMeasurement() {}

  /** Returns the sizes of SSTables and memtables, and what reads and writes have cost. */
  static TableStatistics statistics(Engine engine, TableStore store) throws IOException {
    CompactionState compaction =
        engine.options.isReadOnly() ? CompactionState.IDLE : engine.compactor().state(store.id());
    View view = store.acquire();
    try {
      List<SSTable> tables = view.byFirstKey();
      return new TableStatistics(
          new TableStatistics.SSTables(
              tables.size(),
              tables.stream().mapToLong(SSTable::onDiskLength).sum(),
              tables.stream().mapToLong(SSTable::dataLength).sum(),
              tables.stream().mapToLong(SSTable::offHeapBytes).sum()),
          store.memtableStatistics(),
          store.sealedMemtables(),
          store.readSummary(),
          store.writeSummary(),
          store.liveSet().traffic(),
          compaction,
          store.liveSet().retention().value());
    } finally {
      view.release();
    }
  }

  /** Summarizes the statistics of all live SSTables. */
  static StoredSummary storedSummary(Engine engine, TableStore store) throws IOException {
    long gcBefore =
        engine.options.clock().millis() / 1000 - store.schema().options().gcGraceSeconds();
    View view = store.acquire();
    try {
      return StoredSummary.of(view.byFirstKey(), gcBefore);
    } finally {
      view.release();
    }
  }
}
