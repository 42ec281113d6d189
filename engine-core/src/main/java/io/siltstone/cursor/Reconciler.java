package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges (reconciles) several versions of a row into one.
 *
 * <p>{@link VersionSelector} selects the winning version of the liveness, of the row's deletion, of
 * the deletion of each complex column and of each cell. The result contains the winners that no
 * deletion covers: neither that of the row or of a complex column nor the one that the caller
 * gives, of the partition or a range. Columns that the table does not have are left out, and so are
 * cells that are older than the drop of their column. The result depends neither on the order of
 * the versions nor on how they are grouped.
 *
 * <p>Reusable, confined to one thread; allocates nothing once its arrays have grown to the largest
 * row. Source: Cassandra {@code Row.Merger}, {@code Cells}.
 */
public final class Reconciler {
  private final ColumnMaps maps;
  private final Kind staticKind;
  private final Kind regularKind;
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;
  private final CounterMerge counter = new CounterMerge();
  private final VersionSelector selector = new VersionSelector();

  // The maps from each version's columns to those of the table.
  private ColumnMap[] columnMaps = {};
  private RowVersion[] versions = {};
  private int count;
  private Kind kind;
  // Whether a part of a version was left out.
  private boolean reduced;

  /** Creates a reconciler for rows of a table. */
  public Reconciler(TableEncoding table) {
    RowEncoding rows = table.rows();
    this.maps = new ColumnMaps(table);
    this.staticKind = new Kind(rows.header().staticColumns());
    this.regularKind = new Kind(rows.header().regularColumns());
    this.kind = regularKind;
    this.encoder = new UnfilteredEncoder(rows);
    this.result =
        new Unfiltered(
            rows,
            (index, reason) -> new IOException("a row made of several is damaged: " + reason));
  }

  /** Returns the size in bytes of the buffers, which grow to the largest row. */
  public int heldBytes() {
    return encoder.heldBytes();
  }

  /**
   * Returns whether unfiltereds of that encoding can be copied to the table's: no column is left
   * out.
   */
  boolean isWhole(RowEncoding source) {
    return maps.of(source).isWhole();
  }

  /**
   * Prepares for other sources.
   *
   * @param sources number of sources
   */
  void begin(int sources) {
    maps.begin(sources);
  }

  /** Releases the rows that were merged last, so that they and their sources can be collected. */
  void release() {
    for (RowVersion version : versions) {
      version.release(result);
    }
  }

  /**
   * Merges versions of one row, or of the static row, of one partition.
   *
   * @param rows distinct objects, bodies read, walks at the beginning; all of them are used up
   * @param count number of versions, 1 or more
   * @param deletionTimestamp of the partition's or range's deletion that covers the row, {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @param deletionLocalTime that belongs to it
   * @return one of the versions itself, its walk at the beginning, if it is the only one or the
   *     others add nothing to it, and nothing of it is left out (in its own encoding, which the
   *     table's has all columns of); else a row in the table's encoding, valid until the next call,
   *     to which it may be given as a version; null if nothing remains
   * @throws IOException if a version has invalid content; names its place
   */
  public @Nullable Unfiltered reconcile(
      Unfiltered[] rows, int count, long deletionTimestamp, long deletionLocalTime)
      throws IOException {
    Unfiltered first = rows[0];
    begin(rows, count, first.isStatic());
    if (DeletionTime.isLive(deletionTimestamp) && areWhole(rows)) {
      Unfiltered whole = count == 1 ? first : overwriting(rows);
      if (whole != null) {
        return whole.isEmpty() ? null : whole;
      }
    }
    beginVersions(rows);
    selector.selectHead(deletionTimestamp, deletionLocalTime);
    encodeHead(first);
    encodeColumns();
    if (encoder.isEmpty()) {
      return null;
    }
    if (count == 1 && !reduced && columnMaps[0].isWhole()) {
      first.rewind();
      return first;
    }
    EncodedUnfiltered encoded;
    try {
      encoded = encoder.finish(0);
    } catch (UnwritableException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw first.corrupt(String.valueOf(e.getMessage()));
    }
    encoded.wrapWith(result);
    return result;
  }

  private void begin(Unfiltered[] rows, int size, boolean isStatic) {
    if (columnMaps.length < size) {
      columnMaps = new ColumnMap[Math.max(4, 2 * size)];
    }
    for (int i = 0; i < size; i++) {
      columnMaps[i] = maps.of(rows[i].encoding());
    }
    count = size;
    kind = isStatic ? staticKind : regularKind;
  }

  /** Returns whether each version could be shown in place, because nothing covers a part of it. */
  private boolean areWhole(Unfiltered[] rows) {
    for (int i = 0; i < count; i++) {
      if (!isWhole(rows[i], columnMaps[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWhole(Unfiltered row, ColumnMap map) {
    return !row.hasDeletion()
        && !row.hasComplexDeletions()
        && map.isWhole()
        && !map.hasDropped(row.isStatic());
  }

  /**
   * Returns whether a row that no deletion covers can be shown in place if it is the only version:
   * it has no deletions, and no columns that are left out.
   */
  boolean isWhole(Unfiltered row) {
    return isWhole(row, maps.of(row.encoding()));
  }

  private @Nullable Unfiltered overwriting(Unfiltered[] rows) throws IOException {
    return kind.hasCounters ? null : FullOverwrite.find(rows, columnMaps, count);
  }

  private void beginVersions(Unfiltered[] rows) {
    if (versions.length < count) {
      int present = versions.length;
      versions = Arrays.copyOf(versions, Math.max(4, 2 * count));
      for (int i = present; i < versions.length; i++) {
        versions[i] = new RowVersion(result, maps.of(result.encoding()));
      }
    }
    reduced = false;
    for (int i = 0; i < count; i++) {
      versions[i].begin(rows[i], columnMaps[i]);
    }
    selector.begin(versions, count);
  }

  /** Writes clustering, liveness and deletion. */
  private void encodeHead(Unfiltered first) {
    if (first.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(first.clustering());
    }
    if (selector.isRowDeletionActive()) {
      Unfiltered deleted = versions[selector.rowDeletion()].row;
      encoder.deletion(
          deleted.deletionTimestamp(), deleted.deletionLocalTime(), deleted.isDeletionShadowable());
    } else {
      reduced |= selector.rowDeletion() != VersionSelector.NONE;
    }
    if (selector.liveness() != VersionSelector.NONE) {
      Unfiltered live = versions[selector.liveness()].row;
      if (selector.isRowCovered(live.livenessTimestamp())) {
        reduced = true;
      } else {
        encoder.liveness(
            live.livenessTimestamp(), live.livenessTtl(), live.livenessExpirationTime());
      }
    }
  }

  private void encodeColumns() throws IOException {
    for (int i = 0; i < count; i++) {
      nextColumn(versions[i]);
    }
    int column = selector.leastColumn();
    while (column >= 0) {
      if (kind.pathTypes[column] != null) {
        encodeComplex(column, kind.pathTypes[column]);
      } else if (kind.counters[column]) {
        encodeCounter(column);
      } else {
        encodeSimple(column);
      }
      for (int i = 0; i < count; i++) {
        if (versions[i].column == column) {
          nextColumn(versions[i]);
        }
      }
      column = selector.leastColumn();
    }
  }

  /** Moves a version to its next column that the table has. */
  private void nextColumn(RowVersion version) throws IOException {
    while (version.nextColumn() && version.isColumnLeftOut()) {
      reduced = true;
    }
  }

  private void encodeSimple(int column) throws IOException {
    selector.beginSimpleColumn();
    int best = VersionSelector.NONE;
    for (int i = 0; i < count; i++) {
      if (versions[i].column == column) {
        versions[i].nextCell();
        best = selector.selectCell(best, i);
      }
    }
    if (best == VersionSelector.NONE) {
      reduced = true;
      return;
    }
    encoder.column(column);
    encodeCell(versions[best].row);
  }

  private void encodeCounter(int column) throws IOException {
    selector.beginSimpleColumn();
    int tombstone = VersionSelector.NONE;
    int only = VersionSelector.NONE;
    boolean several = false;
    for (int i = 0; i < count; i++) {
      RowVersion version = versions[i];
      if (version.column != column || !version.nextCell()) {
        continue;
      }
      tombstone = selector.selectCounterTombstone(tombstone, i);
      if (!selector.isRemaining(version)) {
        reduced = true;
      } else if (!version.row.isCellTombstone()) {
        if (only == VersionSelector.NONE) {
          only = i;
          counter.begin(version.row);
        } else {
          several = true;
          counter.add(version.row);
        }
      }
    }
    if (tombstone == VersionSelector.NONE && only == VersionSelector.NONE) {
      return;
    }
    encoder.column(column);
    if (tombstone != VersionSelector.NONE) {
      encodeCell(versions[tombstone].row);
    } else if (!several) {
      encodeCell(versions[only].row);
    } else {
      byte[] value = counter.value();
      encoder.cell(
          counter.timestamp(),
          DeletionTime.NO_TTL,
          DeletionTime.NO_DELETION_TIME,
          value,
          0,
          0,
          value,
          counter.valueOffset(),
          counter.valueLength());
    }
  }

  private void encodeComplex(int column, CqlType pathType) throws IOException {
    selector.beginComplexColumn(column);
    boolean begun = selector.isComplexDeletionActive();
    if (begun) {
      Unfiltered deleted = versions[selector.complexDeletion()].row;
      encoder.column(column);
      encoder.complexDeletion(
          deleted.complexDeletionTimestamp(), deleted.complexDeletionLocalTime());
    }
    for (int i = 0; i < count; i++) {
      RowVersion version = versions[i];
      version.hasCell = false;
      if (version.column == column) {
        // This matters only with one version: its deletion is then left out.
        reduced |= !begun && version.hasComplexDeletion();
        nextRemainingCell(version);
      }
    }
    RowVersion least = leastCell(pathType);
    while (least != null) {
      if (!begun) {
        encoder.column(column);
        begun = true;
      }
      encodeCell(least.row);
      nextRemainingCell(least);
      least = leastCell(pathType);
    }
  }

  /** Returns the version whose cell comes next; those that lose to it on the same path move on. */
  private @Nullable RowVersion leastCell(CqlType pathType) throws IOException {
    @Nullable RowVersion best = null;
    for (int i = 0; i < count; i++) {
      RowVersion version = versions[i];
      if (!version.hasCell) {
        continue;
      }
      if (best == null) {
        best = version;
        continue;
      }
      int order = VersionSelector.comparePaths(pathType, version.row, best.row);
      if (order < 0) {
        best = version;
      } else if (order == 0) {
        boolean wins = VersionSelector.winsOver(version, best);
        nextRemainingCell(wins ? best : version);
        best = wins ? version : best;
      }
    }
    return best;
  }

  /** Moves a version to the next cell of its collection that remains. */
  private void nextRemainingCell(RowVersion version) throws IOException {
    while (version.nextCell() && !selector.isRemaining(version)) {
      reduced = true;
    }
  }

  private void encodeCell(Unfiltered row) throws IOException {
    try {
      encoder.copyCell(row);
    } catch (UnwritableException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw row.corrupt(String.valueOf(e.getMessage()));
    }
  }

  /** The table's columns of one kind of row. */
  private static final class Kind {
    private final @Nullable CqlType[] pathTypes;
    private final boolean[] counters;
    private final boolean hasCounters;

    Kind(List<HeaderColumn> columns) {
      pathTypes = new CqlType[columns.size()];
      counters = new boolean[columns.size()];
      for (int i = 0; i < pathTypes.length; i++) {
        CqlType type = columns.get(i).type();
        pathTypes[i] = type.isMultiCell() ? type.pathType() : null;
        counters[i] = type.isCounter();
      }
      hasCounters = columns.stream().anyMatch(column -> column.type().isCounter());
    }
  }
}
