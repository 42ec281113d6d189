package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;

/**
 * One version of a row while it is reconciled with the others: the walk over its columns and cells,
 * with columns numbered as in the table.
 *
 * <p>Reusable, confined to one thread; allocates nothing.
 */
public final class RowVersion {
  /** Column of a version whose walk has ended; greater than all columns. */
  static final int NO_COLUMN = Integer.MAX_VALUE;

  // The hot path of the merge reads these fields; only this class writes them.
  Unfiltered row;
  int column = NO_COLUMN;
  long droppedAt = DeletionTime.NO_TIMESTAMP;
  boolean hasCell;
  private int[] indexes;
  private long[] columnsDroppedAt;

  /**
   * Creates a version of a row, before its first column.
   *
   * @param row its body read, its walk at the beginning
   * @param map from the row's encoding to the table's
   */
  public RowVersion(Unfiltered row, ColumnMap map) {
    this.row = row;
    this.indexes = map.indexes(row.isStatic());
    this.columnsDroppedAt = map.droppedAt(row.isStatic());
  }

  /** Starts over with another row; the parameters are those of the constructor. */
  void begin(Unfiltered other, ColumnMap map) {
    row = other;
    int[] present = map.indexes(other.isStatic());
    // Mostly the same as before, and storing references is dearer than comparing them.
    if (indexes != present) {
      indexes = present;
      columnsDroppedAt = map.droppedAt(other.isStatic());
    }
    end();
  }

  /** Ends the walk, and holds another row, so that the present one can be collected. */
  void release(Unfiltered idle) {
    row = idle;
    end();
  }

  /** Ends the walk, as where the rest of the row cannot be read. */
  public void end() {
    column = NO_COLUMN;
    hasCell = false;
  }

  /** Returns the row. */
  public Unfiltered row() {
    return row;
  }

  /**
   * Moves to the next column of the row, whether or not the table has it.
   *
   * @return false after the last
   */
  public boolean nextColumn() throws IOException {
    if (!row.nextColumn()) {
      end();
      return false;
    }
    int index = row.columnIndex();
    column = indexes[index];
    droppedAt = columnsDroppedAt[index];
    return true;
  }

  /** Returns whether the walk stands at a column that the table does not have. */
  public boolean isColumnLeftOut() {
    return column == ColumnMap.LEFT_OUT;
  }

  /**
   * Moves to the next cell of the column.
   *
   * @return false after the last
   */
  public boolean nextCell() throws IOException {
    boolean found = row.nextCell();
    hasCell = found;
    return found;
  }

  /** Ends the walk over the cells of the column, as where the next one cannot be read. */
  public void endCells() {
    hasCell = false;
  }

  /** Returns whether the walk stands at a column, numbered as in the table. */
  public boolean isAt(int tableColumn) {
    return column == tableColumn;
  }

  /** Compares the paths of the present cells of two versions, which stand at one column. */
  public int comparePath(RowVersion other, CqlType pathType) throws IOException {
    return VersionSelector.comparePaths(pathType, row, other.row);
  }

  /** Returns whether the walk stands at a cell. */
  public boolean hasCell() {
    return hasCell;
  }

  /**
   * Returns whether the column has a complex deletion, be it from before the column was dropped.
   */
  public boolean hasComplexDeletion() {
    return row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp());
  }

  /** Returns whether data of the column is gone because the column was dropped later. */
  public boolean isDropped(long timestamp) {
    return timestamp <= droppedAt;
  }
}
