package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes shadowed cells from a row: those that lose to another version of the row, which is stored
 * elsewhere and is not merged with it (garbage collection by {@code
 * provide_overlapping_tombstones}). Equal cells stay, so that at least one of two such versions
 * keeps them, whichever is filtered first. Cells of counters stay, since their values are added.
 *
 * <p>Reusable, confined to one thread; allocates nothing once its arrays have grown to the largest
 * row. Source: Cassandra {@code Rows.removeShadowedCells}.
 */
public final class ShadowFilter {
  private final ColumnMaps maps;
  private final RowEncoding rows;
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;

  // The other version's present column, numbered as in the table, or NO_COLUMN after its last.
  private static final int NO_COLUMN = Integer.MAX_VALUE;

  private int shadowColumn;
  private boolean shadowHasCell;

  /** Creates a filter for rows of a table. */
  public ShadowFilter(TableEncoding table) {
    this.maps = new ColumnMaps(table);
    this.rows = table.rows();
    this.encoder = new UnfilteredEncoder(rows);
    this.result =
        new Unfiltered(
            rows,
            (index, reason) -> new IOException("a row that was filtered is damaged: " + reason));
  }

  /**
   * Filters a row.
   *
   * @param row its body read; its walk is used up
   * @param shadow another version of the same row, likewise
   * @return the row itself if nothing of it is left out; else a row in the table's encoding, valid
   *     until the next call; null if nothing remains
   */
  public @Nullable Unfiltered filter(Unfiltered row, Unfiltered shadow) throws IOException {
    if (row.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(row.clustering());
    }
    if (row.hasLiveness()) {
      encoder.liveness(row.livenessTimestamp(), row.livenessTtl(), row.livenessExpirationTime());
    }
    if (row.hasDeletion()) {
      encoder.deletion(
          row.deletionTimestamp(), row.deletionLocalTime(), row.isDeletionShadowable());
    }
    if (!filterColumns(row, shadow)) {
      row.rewind();
      return row;
    }
    if (encoder.isEmpty()) {
      return null;
    }
    encoder.finish(0).wrapWith(result);
    return result;
  }

  /** Returns whether something was left out. */
  private boolean filterColumns(Unfiltered row, Unfiltered shadow) throws IOException {
    int[] indexes = maps.of(row.encoding()).indexes(row.isStatic());
    int[] shadowIndexes = maps.of(shadow.encoding()).indexes(shadow.isStatic());
    List<HeaderColumn> columns = rows.header().columns(row.isStatic());
    boolean isReduced = false;
    row.rewind();
    shadow.rewind();
    nextShadowColumn(shadow, shadowIndexes);
    while (row.nextColumn()) {
      int column = indexes[row.columnIndex()];
      while (shadowColumn < column) {
        nextShadowColumn(shadow, shadowIndexes);
      }
      boolean isShadowed = shadowColumn == column;
      CqlType type = columns.get(column).type();
      if (row.isComplex()) {
        isReduced |= filterComplex(row, column, type.pathType(), isShadowed ? shadow : null);
      } else {
        isReduced |= filterSimple(row, column, isShadowed && !type.isCounter() ? shadow : null);
      }
    }
    return isReduced;
  }

  private void nextShadowColumn(Unfiltered shadow, int[] indexes) throws IOException {
    while (shadow.nextColumn()) {
      int column = indexes[shadow.columnIndex()];
      if (column != ColumnMap.LEFT_OUT) {
        shadowColumn = column;
        return;
      }
    }
    shadowColumn = NO_COLUMN;
  }

  private boolean filterSimple(Unfiltered row, int column, @Nullable Unfiltered shadow)
      throws IOException {
    if (!row.nextCell()) {
      return false;
    }
    if (shadow != null && shadow.nextCell() && ConflictRules.compare(row, shadow) < 0) {
      return true;
    }
    encoder.column(column);
    encoder.copyCell(row);
    return false;
  }

  private boolean filterComplex(
      Unfiltered row, int column, CqlType pathType, @Nullable Unfiltered shadow)
      throws IOException {
    boolean isReduced = false;
    boolean isBegun = false;
    long coveredTo = shadow == null ? DeletionTime.NO_TIMESTAMP : shadow.complexDeletionTimestamp();
    if (!DeletionTime.isLive(row.complexDeletionTimestamp())) {
      if (shadow != null
          && !DeletionTime.isLive(coveredTo)
          && ConflictRules.deletionSupersedes(
              coveredTo,
              shadow.complexDeletionLocalTime(),
              row.complexDeletionTimestamp(),
              row.complexDeletionLocalTime())) {
        isReduced = true;
      } else {
        encoder.column(column);
        encoder.complexDeletion(row.complexDeletionTimestamp(), row.complexDeletionLocalTime());
        isBegun = true;
      }
    }
    shadowHasCell = shadow != null && shadow.nextCell();
    while (row.nextCell()) {
      if (row.cellTimestamp() <= coveredTo
          || (shadow != null && losesByPath(row, shadow, pathType))) {
        isReduced = true;
        continue;
      }
      if (!isBegun) {
        encoder.column(column);
        isBegun = true;
      }
      encoder.copyCell(row);
    }
    return isReduced;
  }

  private boolean losesByPath(Unfiltered row, Unfiltered shadow, CqlType pathType)
      throws IOException {
    while (shadowHasCell) {
      int order = VersionSelector.comparePaths(pathType, shadow, row);
      if (order >= 0) {
        return order == 0 && ConflictRules.compare(row, shadow) < 0;
      }
      shadowHasCell = shadow.nextCell();
    }
    return false;
  }
}
