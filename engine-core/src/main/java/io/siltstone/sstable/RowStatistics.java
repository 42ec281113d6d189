package io.siltstone.sstable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.sstable.metadata.StatisticsCollector;
import java.io.IOException;

/**
 * Collects the statistics of rows and markers as they are written.
 *
 * <p>Source of the counting rules: Cassandra {@code Rows.collectStats}, {@code SortedTableWriter}.
 */
final class RowStatistics {
  private final StatisticsCollector collector;
  private long cells;

  RowStatistics(StatisticsCollector collector) {
    this.collector = collector;
  }

  void startPartition(long timestamp, long localDeletionTime) {
    cells = 0;
    collector.partitionDeletion(timestamp, localDeletionTime);
  }

  /** Adds a row or marker whose body has been read; consumes its iteration over the columns. */
  void add(Unfiltered unfiltered) throws IOException {
    if (unfiltered.isMarker()) {
      collector.bound(unfiltered.clustering());
      collector.deletion(unfiltered.deletionTimestamp(), unfiltered.deletionLocalTime());
      if (unfiltered.clustering().kind().isBoundary()) {
        collector.deletion(unfiltered.openTimestamp(), unfiltered.openLocalTime());
      }
      return;
    }
    if (!unfiltered.isStatic()) {
      collector.clustering(unfiltered.clustering());
    } else if (unfiltered.isEmpty()) {
      return;
    }
    if (unfiltered.hasLiveness()) {
      collector.liveness(
          unfiltered.livenessTimestamp(),
          unfiltered.livenessTtl(),
          unfiltered.livenessExpirationTime());
    }
    if (unfiltered.hasDeletion()) {
      collector.deletion(unfiltered.deletionTimestamp(), unfiltered.deletionLocalTime());
    }
    addCells(unfiltered);
  }

  private void addCells(Unfiltered row) throws IOException {
    int columns = 0;
    row.rewind();
    while (row.nextColumn()) {
      if (row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp())) {
        collector.deletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
      }
      if (row.cellCount() > 0) {
        columns++;
        cells += row.cellCount();
      }
      boolean counter = row.column().type().isCounter();
      while (row.nextCell()) {
        collector.cell(row.cellTimestamp(), row.cellTtl(), row.cellLocalDeletionTime());
        if (counter && !row.isCellTombstone()) {
          collector.counterValue(row.bytes(), row.valueOffset(), row.valueLength());
        }
      }
    }
    collector.endRow(columns);
  }

  /** Returns the number of cells of the current partition. */
  long cells() {
    return cells;
  }
}
