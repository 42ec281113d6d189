package io.siltstone.table.read;

import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.ColumnMaps;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What newer sources say of one row, and whether older ones can add anything to it.
 *
 * <p>A row is complete with regard to all data up to a timestamp if a deletion covers that data; or
 * if each column of the table has a cell that is newer, living or not, and so has the row's
 * liveness. A row without a liveness of its own might owe its life to an older one, unless one of
 * its newer cells is there for good. What is not known of older sources then are tombstones that
 * have nothing left to delete.
 *
 * <p>Collections and counters are made of the cells of all sources; tables with such columns have
 * no complete rows, nor have tables with static columns, as each read shows these too.
 *
 * <p>Reusable, confined to one thread, allocates nothing per row. Source: Cassandra {@code
 * SinglePartitionReadCommand.reduceFilter}.
 */
final class RowCompleteness {
  /** As many as a read may well have. */
  private static final int SOURCES = 32;

  private final ColumnMaps maps;
  private final boolean isPossible;
  // Of the newest cell of each column.
  private final long[] timestamps;
  private final boolean[] isLasting;
  private long livenessTimestamp;
  private long deletionTimestamp;

  RowCompleteness(TableEncoding table) {
    this.maps = new ColumnMaps(table);
    this.isPossible =
        !table.rows().header().hasStatic()
            && table.rows().header().regularColumns().stream().noneMatch(RowCompleteness::isMade);
    int columns = table.rows().header().regularColumns().size();
    this.timestamps = new long[columns];
    this.isLasting = new boolean[columns];
  }

  /** Whether a column's value is made of cells of several sources. */
  private static boolean isMade(HeaderColumn column) {
    return column.type().isMultiCell() || column.type().isCounter();
  }

  /** Whether rows of the table can be known to be complete. */
  boolean isPossible() {
    return isPossible;
  }

  /** Begins with nothing known. */
  void begin() {
    maps.begin(SOURCES);
    Arrays.fill(timestamps, DeletionTime.NO_TIMESTAMP);
    Arrays.fill(isLasting, true);
    livenessTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  }

  /** Takes note of what a source shows first of a slice that has room for one row only. */
  void add(@Nullable Unfiltered first) throws IOException {
    if (first == null || first.isStatic()) {
      return;
    }
    if (first.isMarker()) {
      // In such a slice there is no place for a range tombstone but over the row.
      deletionTimestamp = Math.max(deletionTimestamp, first.deletionTimestamp());
      return;
    }
    if (first.hasDeletion() && !first.isDeletionShadowable()) {
      deletionTimestamp = Math.max(deletionTimestamp, first.deletionTimestamp());
    }
    livenessTimestamp = Math.max(livenessTimestamp, first.livenessTimestamp());
    addCells(first);
    first.rewind();
  }

  private void addCells(Unfiltered row) throws IOException {
    ColumnMap map = maps.of(row.encoding());
    int[] indexes = map.indexes(false);
    long[] droppedAt = map.droppedAt(false);
    while (row.nextColumn()) {
      int source = row.columnIndex();
      int column = indexes[source];
      while (row.nextCell()) {
        if (column != ColumnMap.LEFT_OUT && row.cellTimestamp() > droppedAt[source]) {
          addCell(column, row);
        }
      }
    }
  }

  private void addCell(int column, Unfiltered row) {
    long timestamp = row.cellTimestamp();
    boolean lasting = row.cellLocalDeletionTime() == DeletionTime.NO_DELETION_TIME;
    if (timestamp > timestamps[column]) {
      timestamps[column] = timestamp;
      isLasting[column] = lasting;
    } else if (timestamp == timestamps[column]) {
      // Of two cells of the same time the one that dies wins.
      isLasting[column] &= lasting;
    }
  }

  /** Whether nothing that was written at that timestamp or before can change the row. */
  boolean isComplete(long timestamp) {
    if (!DeletionTime.isLive(deletionTimestamp) && deletionTimestamp >= timestamp) {
      return true;
    }
    boolean lives = livenessTimestamp > timestamp;
    for (int i = 0; i < timestamps.length; i++) {
      if (timestamps[i] <= timestamp) {
        return false;
      }
      lives |= isLasting[i];
    }
    return lives;
  }
}
