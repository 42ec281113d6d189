package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;

/**
 * Selects the winning version of each part of a row (conflict resolution, last write wins): of the
 * row's deletion, its liveness, the deletion of each collection and each cell; and says which of
 * the winners a deletion covers. The merge of reads, flushes and compactions ({@link Reconciler})
 * and the explanation of a key ({@code explain}) use this one class, so that they cannot disagree.
 *
 * <p>How two versions compare, with the tie-break of equal timestamps, is in {@link ConflictRules}.
 * An example, of a table with the columns {@code a} and {@code tags set<text>}, which three sources
 * have versions of:
 *
 * <pre>
 *   0  INSERT a='x' at 10                liveness@10  a='x'@10
 *   1  UPDATE tags={'p'} at 20           tags deleted@19  tags['p']@20
 *   2  UPDATE tags=tags+{'q'} at 15      tags['q']@15
 *      DELETE of the row at 12           deleted@12
 * </pre>
 *
 * {@link #selectHead} finds the deletion@12 of version 2. It is active, as no greater deletion
 * covers the row; it covers liveness@10 and later a@10. Of {@code tags}, {@link
 * #beginComplexColumn} finds the deletion@19 of version 1, which wins over 12 and covers {@code
 * 'q'}@15. {@link #selectCell} finds {@code 'p'}@20. What remains is: deleted@12, tags deleted@19,
 * {@code 'p'}@20.
 *
 * <p>Versions are identified by their indexes. Reusable, confined to one thread; allocates nothing.
 * Source: Cassandra {@code Row.Merger}, {@code Cells}.
 */
public final class VersionSelector {
  /** Index of no version. */
  public static final int NONE = -1;

  private RowVersion[] versions = {};
  private int count;

  private int rowDeletion = NONE;
  private boolean isRowDeletionShadowed;
  private boolean isRowDeletionActive;
  private int liveness = NONE;
  private long activeTimestamp = DeletionTime.NO_TIMESTAMP;
  private long activeLocalTime = DeletionTime.NO_DELETION_TIME;
  private int complexDeletion = NONE;
  private boolean isComplexDeletionActive;
  // Cells of the present column at or below it are deleted.
  private long coveredTo = DeletionTime.NO_TIMESTAMP;

  /** Creates a selector; {@link #begin} sets the versions. */
  public VersionSelector() {}

  /**
   * Begins a row.
   *
   * @param array its versions, before their first columns; not copied
   * @param size number of versions, 0 or more
   */
  public void begin(RowVersion[] array, int size) {
    // Storing a reference is dearer than comparing it.
    if (versions != array) {
      versions = array;
    }
    count = size;
  }

  /**
   * Selects the deletion and the liveness of the row.
   *
   * @param timestamp of the deletion of the partition or range that covers the row, {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @param localTime that belongs to it
   */
  public void selectHead(long timestamp, long localTime) {
    rowDeletion = NONE;
    liveness = NONE;
    isRowDeletionShadowed = false;
    isRowDeletionActive = false;
    activeTimestamp = timestamp;
    activeLocalTime = localTime;
    for (int i = 0; i < count; i++) {
      Unfiltered row = versions[i].row;
      if (row.hasLiveness()
          && (liveness == NONE || ConflictRules.livenessSupersedes(row, versions[liveness].row))) {
        liveness = i;
      }
      if (row.hasDeletion()
          && (rowDeletion == NONE
              || ConflictRules.rowDeletionSupersedes(row, versions[rowDeletion].row))) {
        rowDeletion = i;
      }
    }
    if (rowDeletion != NONE) {
      selectActive(versions[rowDeletion].row);
    }
  }

  private void selectActive(Unfiltered deleted) {
    isRowDeletionShadowed =
        deleted.isDeletionShadowable()
            && liveness != NONE
            && versions[liveness].row.livenessTimestamp() > deleted.deletionTimestamp();
    isRowDeletionActive =
        !isRowDeletionShadowed
            && ConflictRules.deletionSupersedes(
                deleted.deletionTimestamp(),
                deleted.deletionLocalTime(),
                activeTimestamp,
                activeLocalTime);
    if (isRowDeletionActive) {
      activeTimestamp = deleted.deletionTimestamp();
      activeLocalTime = deleted.deletionLocalTime();
    }
  }

  /** Returns the version with the winning deletion of the row, {@link #NONE} without. */
  public int rowDeletion() {
    return rowDeletion;
  }

  /** Returns whether the row's deletion yields to a newer liveness, as shadowable ones do. */
  public boolean isRowDeletionShadowed() {
    return isRowDeletionShadowed;
  }

  /** Returns whether the row's deletion is the one that covers the row's cells. */
  public boolean isRowDeletionActive() {
    return isRowDeletionActive;
  }

  /** Returns the version with the winning liveness, be it covered or not, {@link #NONE} without. */
  public int liveness() {
    return liveness;
  }

  /** Returns whether the deletion that covers the row covers data of a timestamp. */
  public boolean isRowCovered(long timestamp) {
    return timestamp <= activeTimestamp;
  }

  /** Returns the least column at which a version stands; -1 if all are after their last. */
  public int leastColumn() {
    int least = RowVersion.NO_COLUMN;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, versions[i].column);
    }
    return least == RowVersion.NO_COLUMN ? -1 : least;
  }

  /** Begins a column that is not complex: the deletion of the row alone covers its cells. */
  public void beginSimpleColumn() {
    coveredTo = activeTimestamp;
  }

  /** Begins a complex column, and selects its deletion. */
  public void beginComplexColumn(int column) {
    int greatest = NONE;
    for (int i = 0; i < count; i++) {
      RowVersion version = versions[i];
      if (version.column == column
          && version.hasComplexDeletion()
          && !version.isDropped(version.row.complexDeletionTimestamp())
          && (greatest == NONE || complexDeletionSupersedes(version.row, versions[greatest].row))) {
        greatest = i;
      }
    }
    complexDeletion = greatest;
    isComplexDeletionActive = false;
    coveredTo = activeTimestamp;
    if (greatest != NONE) {
      Unfiltered row = versions[greatest].row;
      isComplexDeletionActive =
          ConflictRules.deletionSupersedes(
              row.complexDeletionTimestamp(),
              row.complexDeletionLocalTime(),
              activeTimestamp,
              activeLocalTime);
      coveredTo = isComplexDeletionActive ? row.complexDeletionTimestamp() : activeTimestamp;
    }
  }

  private static boolean complexDeletionSupersedes(Unfiltered row, Unfiltered other) {
    return ConflictRules.deletionSupersedes(
        row.complexDeletionTimestamp(),
        row.complexDeletionLocalTime(),
        other.complexDeletionTimestamp(),
        other.complexDeletionLocalTime());
  }

  /** Returns the version with the winning deletion of the column, {@link #NONE} without. */
  public int complexDeletion() {
    return complexDeletion;
  }

  /** Returns whether the column's deletion wins over that of the row, and covers the cells. */
  public boolean isComplexDeletionActive() {
    return isComplexDeletionActive;
  }

  /** Returns whether a deletion covers a cell of the present column. */
  public boolean isCellCovered(long timestamp) {
    return timestamp <= coveredTo;
  }

  /** Returns whether neither a deletion nor a drop has removed the present cell of a version. */
  boolean isRemaining(RowVersion version) {
    long timestamp = version.row.cellTimestamp();
    return timestamp > coveredTo && timestamp > version.droppedAt;
  }

  /**
   * Selects the winner of two cells in one place; not of counters.
   *
   * @param best the winner of the versions looked at before, {@link #NONE} for the first one
   * @param candidate the next version, which may have no cell, or one that does not remain
   */
  public int selectCell(int best, int candidate) {
    RowVersion version = versions[candidate];
    return version.hasCell
            && isRemaining(version)
            && (best == NONE || winsOver(version, versions[best]))
        ? candidate
        : best;
  }

  /** Returns whether a cell wins over another one; both are in one place, and remain. */
  static boolean winsOver(RowVersion version, RowVersion other) {
    return ConflictRules.compare(version.row, other.row) > 0;
  }

  /**
   * Selects the winner of two tombstones of a counter. A tombstone wins over all values, whatever
   * their timestamps; only without one the values of the cells that remain are added up.
   *
   * @param best the winner of the versions looked at before, {@link #NONE} for none
   * @param candidate the next version, which may have no tombstone
   */
  public int selectCounterTombstone(int best, int candidate) {
    RowVersion version = versions[candidate];
    return version.hasCell && version.row.isCellTombstone() ? selectCell(best, candidate) : best;
  }

  /** Compares the paths of the present cells of two versions, which both have one. */
  static int comparePaths(CqlType type, Unfiltered left, Unfiltered right) throws IOException {
    try {
      return type.compare(
          left.bytes(),
          left.pathOffset(),
          left.pathLength(),
          right.bytes(),
          right.pathOffset(),
          right.pathLength());
    } catch (IllegalArgumentException e) {
      throw left.corrupt("a cell's path: " + e.getMessage());
    }
  }
}
