package io.siltstone.cursor;

import org.jspecify.annotations.Nullable;

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
 *   1  INSERT a='x' at 10                liveness@10  a='x'@10
 *   2  UPDATE tags={'p'} at 20           tags deleted@19  tags['p']@20
 *   3  UPDATE tags=tags+{'q'} at 15      tags['q']@15
 *      DELETE of the row at 12           deleted@12
 * </pre>
 *
 * {@link #selectHead} finds the deletion@12, which is active, as nothing greater covers the row; it
 * covers liveness@10 and later a@10. Of {@code tags}, {@link #selectComplexDeletion} finds the
 * deletion@19, which wins over 12 and covers {@code 'q'}@15. {@link #selectCell} finds {@code
 * 'p'}@20. What remains is: deleted@12, tags deleted@19, {@code 'p'}@20.
 *
 * <p>Reusable, confined to one thread; allocates nothing. Source: Cassandra {@code Row.Merger},
 * {@code Cells}.
 */
public final class VersionSelector {
  private @Nullable RowVersion rowDeletion;
  private boolean isRowDeletionShadowed;
  private boolean isRowDeletionActive;
  private @Nullable RowVersion liveness;
  private long activeTimestamp = DeletionTime.NO_TIMESTAMP;
  private long activeLocalTime = DeletionTime.NO_DELETION_TIME;
  private @Nullable RowVersion complexDeletion;
  private boolean isComplexDeletionActive;
  // Cells of the present column at or below it are deleted.
  private long coveredTo = DeletionTime.NO_TIMESTAMP;

  /** Creates a selector. */
  public VersionSelector() {}

  /**
   * Selects the deletion and the liveness of the row.
   *
   * @param versions of the row
   * @param timestamp of the deletion of the partition or range that covers the row, {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @param localTime that belongs to it
   */
  public void selectHead(VersionGroup versions, long timestamp, long localTime) {
    @Nullable RowVersion deleted = null;
    @Nullable RowVersion live = null;
    for (int i = 0; i < versions.size; i++) {
      RowVersion version = versions.members[i];
      Unfiltered row = version.row;
      if (row.hasLiveness() && (live == null || ConflictRules.livenessSupersedes(row, live.row))) {
        live = version;
      }
      if (row.hasDeletion()
          && (deleted == null || ConflictRules.rowDeletionSupersedes(row, deleted.row))) {
        deleted = version;
      }
    }
    rowDeletion = deleted;
    liveness = live;
    isRowDeletionShadowed = false;
    isRowDeletionActive = false;
    activeTimestamp = timestamp;
    activeLocalTime = localTime;
    if (deleted != null) {
      selectActive(deleted.row, live);
    }
    coveredTo = activeTimestamp;
  }

  private void selectActive(Unfiltered deleted, @Nullable RowVersion live) {
    isRowDeletionShadowed =
        deleted.isDeletionShadowable()
            && live != null
            && live.row.livenessTimestamp() > deleted.deletionTimestamp();
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

  /** Returns the version with the winning deletion of the row; null if none has one. */
  public @Nullable RowVersion rowDeletion() {
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

  /** Returns the version with the winning liveness, be it covered or not; null if none has one. */
  public @Nullable RowVersion liveness() {
    return liveness;
  }

  /** Returns whether the deletion that covers the row covers data of a timestamp. */
  public boolean isRowCovered(long timestamp) {
    return timestamp <= activeTimestamp;
  }

  /** Begins a column that is not complex: the deletion of the row alone covers its cells. */
  public void beginSimpleColumn() {
    coveredTo = activeTimestamp;
  }

  /**
   * Selects the deletion of a complex column.
   *
   * @param versions that stand at the column
   */
  public void selectComplexDeletion(VersionGroup versions) {
    @Nullable RowVersion greatest = null;
    for (int i = 0; i < versions.size; i++) {
      RowVersion version = versions.members[i];
      Unfiltered row = version.row;
      if (version.hasComplexDeletion()
          && !version.isDropped(row.complexDeletionTimestamp())
          && (greatest == null || complexDeletionSupersedes(row, greatest.row))) {
        greatest = version;
      }
    }
    complexDeletion = greatest;
    isComplexDeletionActive =
        greatest != null
            && ConflictRules.deletionSupersedes(
                greatest.row.complexDeletionTimestamp(),
                greatest.row.complexDeletionLocalTime(),
                activeTimestamp,
                activeLocalTime);
    coveredTo =
        greatest != null && isComplexDeletionActive
            ? greatest.row.complexDeletionTimestamp()
            : activeTimestamp;
  }

  private static boolean complexDeletionSupersedes(Unfiltered row, Unfiltered other) {
    return ConflictRules.deletionSupersedes(
        row.complexDeletionTimestamp(),
        row.complexDeletionLocalTime(),
        other.complexDeletionTimestamp(),
        other.complexDeletionLocalTime());
  }

  /** Returns the version with the winning deletion of the column; null if none has one. */
  public @Nullable RowVersion complexDeletion() {
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

  /** Returns whether a version stands at a cell that neither a deletion nor a drop has removed. */
  boolean hasRemainingCell(RowVersion version) {
    return version.hasCell
        && version.row.cellTimestamp() > coveredTo
        && version.row.cellTimestamp() > version.droppedAt;
  }

  /**
   * Selects the cell that remains of one place; not of counters.
   *
   * @param cells versions that stand at one column, and at one path of it
   * @return the version with the winning cell; null if none remains
   */
  public @Nullable RowVersion selectCell(VersionGroup cells) {
    @Nullable RowVersion best = null;
    for (int i = 0; i < cells.size; i++) {
      RowVersion version = cells.members[i];
      if (hasRemainingCell(version)
          && (best == null || ConflictRules.compare(version.row, best.row) > 0)) {
        best = version;
      }
    }
    return best;
  }

  /**
   * Selects the tombstone of a counter, which wins over all values, whatever their timestamps.
   *
   * @param cells versions that stand at one counter
   * @return the version with the winning tombstone; null if there is none, so that the values of
   *     the cells that remain are added up
   */
  public @Nullable RowVersion selectCounterTombstone(VersionGroup cells) {
    @Nullable RowVersion best = null;
    for (int i = 0; i < cells.size; i++) {
      RowVersion version = cells.members[i];
      if (hasRemainingCell(version)
          && version.row.isCellTombstone()
          && (best == null || ConflictRules.compare(version.row, best.row) > 0)) {
        best = version;
      }
    }
    return best;
  }
}
