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
 * The early stop of a read of one row: tracks what newer memtables and SSTables have of the row, to
 * decide whether older ones can still change it.
 *
 * <p>A row is complete with regard to all data up to a timestamp if a deletion covers that data; or
 * if each column of the table has a newer cell, live or not, and the row's liveness is newer, too.
 * A row without liveness of its own may be live only because of an older one, unless one of its
 * newer cells never expires. What older sources may have then are tombstones that have nothing left
 * to delete.
 *
 * <p>The values of collections and counters are merged from the cells of all sources, so tables
 * with such columns have no complete rows. Nor have tables with static columns, as each read shows
 * these, too.
 *
 * <p>Reusable, confined to one thread, allocates nothing per row. Source: Cassandra {@code
 * SinglePartitionReadCommand.reduceFilter}.
 */
final class RowCompleteness {
  /** Initial capacity, which most reads do not exceed. */
  private static final int SOURCES = 32;

  private final ColumnMaps maps;
  private final boolean isPossible;
  // The timestamp of the newest cell of each column.
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

  /** Returns whether the value of a column is merged from cells of several sources. */
  private static boolean isMade(HeaderColumn column) {
    return column.type().isMultiCell() || column.type().isCounter();
  }

  /** Returns whether rows of the table can be known to be complete. */
  boolean isPossible() {
    return isPossible;
  }

  /** Forgets the row before. */
  void begin() {
    maps.begin(SOURCES);
    Arrays.fill(timestamps, DeletionTime.NO_TIMESTAMP);
    Arrays.fill(isLasting, true);
    livenessTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  }

  /** Adds the first unfiltered that a source shows of a slice that selects one row only. */
  void add(@Nullable Unfiltered first) throws IOException {
    if (first == null || first.isStatic()) {
      return;
    }
    if (first.isMarker()) {
      // A range tombstone in such a slice always covers the row.
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
      // Of two cells with the same timestamp the one that expires wins.
      isLasting[column] &= lasting;
    }
  }

  /** Returns whether nothing that was written at that timestamp or before can change the row. */
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
