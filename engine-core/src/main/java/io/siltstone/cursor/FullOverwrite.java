package io.siltstone.cursor;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Detects full overwrites: finds the version of a row to which the others add nothing, because it
 * overwrote all of them. This version is the result of the merge, and its bytes can be copied as
 * they are.
 *
 * <p>Versions that have a collection in common are not examined. Allocates nothing.
 */
final class FullOverwrite {
  private FullOverwrite() {}

  /**
   * Returns the version that overwrote the others; null if there is none, or if finding it would
   * take a full merge.
   *
   * @param rows distinct, without deletions and counters; their walks are at the beginning, also
   *     afterwards
   * @param maps from their encodings to the table's, which leave nothing out
   * @param count how many they are, 1 or more
   */
  static @Nullable Unfiltered find(Unfiltered[] rows, ColumnMap[] maps, int count)
      throws IOException {
    int greatest = 0;
    for (int next = 1; next < count; next++) {
      if (comesBefore(rows[greatest], maps[greatest], rows[next], maps[next])) {
        greatest = next;
      }
    }
    boolean isFound = !hasEmptyCollection(rows[greatest]);
    for (int i = 0; isFound && i < count; i++) {
      isFound = i == greatest || addsNothing(rows[i], maps[i], rows[greatest], maps[greatest]);
    }
    for (int i = 0; i < count; i++) {
      rows[i].rewind();
    }
    return isFound ? rows[greatest] : null;
  }

  /**
   * Returns whether a collection has neither cells nor a deletion; a merge leaves such a column
   * out.
   */
  private static boolean hasEmptyCollection(Unfiltered row) throws IOException {
    if (!row.mayHaveComplexColumns()) {
      return false;
    }
    row.rewind();
    while (row.nextColumn()) {
      if (row.isComplex() && row.cellCount() == 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether only the other one of two versions can be the row, if one of them is. */
  private static boolean comesBefore(
      Unfiltered row, ColumnMap rowMap, Unfiltered other, ColumnMap otherMap) throws IOException {
    return isSuperseded(row, other)
        || (!isSuperseded(other, row) && !addsNothing(other, otherMap, row, rowMap));
  }

  private static boolean isSuperseded(Unfiltered row, Unfiltered by) {
    return ConflictRules.livenessSupersedes(by, row);
  }

  private static boolean addsNothing(
      Unfiltered row, ColumnMap rowMap, Unfiltered to, ColumnMap toMap) throws IOException {
    if (isSuperseded(to, row)) {
      return false;
    }
    int[] rowColumns = rowMap.indexes(row.isStatic());
    int[] toColumns = toMap.indexes(to.isStatic());
    row.rewind();
    to.rewind();
    while (row.nextColumn()) {
      int column = rowColumns[row.columnIndex()];
      if (row.isComplex() || !moveTo(column, to, toColumns) || !addsNoCell(row, to)) {
        return false;
      }
    }
    return true;
  }

  /** Moves to a column of the table; false if the row does not have it. */
  private static boolean moveTo(int column, Unfiltered row, int[] columns) throws IOException {
    while (row.nextColumn()) {
      int at = columns[row.columnIndex()];
      if (at >= column) {
        return at == column;
      }
    }
    return false;
  }

  private static boolean addsNoCell(Unfiltered row, Unfiltered to) throws IOException {
    row.nextCell();
    to.nextCell();
    return ConflictRules.compare(row, to) <= 0;
  }
}
