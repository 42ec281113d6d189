package io.siltstone.cursor;

import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one row of several versions of it.
 *
 * <p>Of liveness, row deletion, the deletions of complex columns, and each cell the greatest
 * version is kept, by {@link ConflictRules}; then what a deletion covers is left out: by the row's,
 * by a complex column's, or by one that the caller gives, as of the partition or a range. Cells of
 * columns that the table does not have, or from before the column was dropped, are left out too.
 * What comes out depends neither on the order of the versions nor on how they are grouped.
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
  private final VersionGroup all = new VersionGroup();
  private final VersionGroup atColumn = new VersionGroup();
  private final VersionGroup atPath = new VersionGroup();

  // Of each version, to the table's columns.
  private ColumnMap[] columnMaps = {};
  private RowVersion[] versions = {};
  private int count;
  private Kind kind;
  // Whether something of a version was left out.
  private boolean reduced;

  /** Of rows of a table. */
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

  /** Bytes of the arrays that have grown to the largest row. */
  public int heldBytes() {
    return encoder.heldBytes();
  }

  /** Whether unfiltereds of that encoding can be copied to the table's: no column is left out. */
  boolean isWhole(RowEncoding source) {
    return maps.of(source).isWhole();
  }

  /**
   * Prepares for other sources.
   *
   * @param sources how many
   */
  void begin(int sources) {
    maps.begin(sources);
  }

  /** Lets go of the rows that were merged, and so of where they come from. */
  void forget() {
    for (RowVersion version : versions) {
      version.release(result);
    }
  }

  /**
   * Merges versions of one row, or of the static row, of one partition.
   *
   * @param rows distinct objects, bodies read, walks at the beginning; all of them are used up
   * @param count how many of them there are, 1 or more
   * @param deletionTimestamp of the partition's or range's deletion that covers the row, {@link
   *     DeletionTime#NO_TIMESTAMP} without
   * @param deletionLocalTime that belongs to it
   * @return one of the versions itself, its walk at the beginning, if it is the only one or the
   *     others add nothing to it, and nothing of it is left out (in its own encoding, which the
   *     table's has all columns of); else a row in the table's encoding, valid until the next call,
   *     to which it may be given as a version; null if nothing remains
   * @throws IOException if a version has content that cannot be, naming its place
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
    selector.selectHead(all, deletionTimestamp, deletionLocalTime);
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

  /** Whether each version can be shown as it lies there: nothing covers anything of it. */
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
   * Whether a row that nothing covers is shown as it lies there if it is the only version: it has
   * no deletions, and no columns that are left out.
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
    all.clear();
    for (int i = 0; i < count; i++) {
      versions[i].begin(rows[i], columnMaps[i]);
      all.add(versions[i]);
    }
  }

  /** Writes clustering, liveness and deletion. */
  private void encodeHead(Unfiltered first) {
    if (first.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(first.clustering());
    }
    RowVersion deleted = selector.rowDeletion();
    if (deleted != null) {
      if (selector.isRowDeletionActive()) {
        encoder.deletion(
            deleted.row.deletionTimestamp(),
            deleted.row.deletionLocalTime(),
            deleted.row.isDeletionShadowable());
      } else {
        reduced = true;
      }
    }
    RowVersion live = selector.liveness();
    if (live != null) {
      if (selector.isRowCovered(live.row.livenessTimestamp())) {
        reduced = true;
      } else {
        encoder.liveness(
            live.row.livenessTimestamp(),
            live.row.livenessTtl(),
            live.row.livenessExpirationTime());
      }
    }
  }

  private void encodeColumns() throws IOException {
    for (int i = 0; i < count; i++) {
      nextColumn(versions[i]);
    }
    int column = atColumn.collectNextColumn(all);
    while (column >= 0) {
      if (kind.pathTypes[column] != null) {
        encodeComplex(column, kind.pathTypes[column]);
      } else {
        encodeSimple(column);
      }
      for (int i = 0; i < atColumn.size; i++) {
        nextColumn(atColumn.members[i]);
      }
      column = atColumn.collectNextColumn(all);
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
    for (int i = 0; i < atColumn.size; i++) {
      atColumn.members[i].nextCell();
    }
    RowVersion best =
        kind.counters[column]
            ? selector.selectCounterTombstone(atColumn)
            : selector.selectCell(atColumn);
    if (best != null) {
      encoder.column(column);
      encodeCell(best.row);
    } else if (kind.counters[column]) {
      encodeCounter(column);
    } else {
      reduced = true;
    }
  }

  /** Writes the sum of the counter's values, or the value itself if one alone remains. */
  private void encodeCounter(int column) throws IOException {
    @Nullable Unfiltered only = null;
    boolean several = false;
    for (int i = 0; i < atColumn.size; i++) {
      RowVersion version = atColumn.members[i];
      if (!selector.hasRemainingCell(version)) {
        reduced = true;
      } else if (only == null) {
        only = version.row;
        counter.begin(version.row);
      } else {
        several = true;
        counter.add(version.row);
      }
    }
    if (only == null) {
      return;
    }
    encoder.column(column);
    if (!several) {
      encodeCell(only);
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
    selector.selectComplexDeletion(atColumn);
    RowVersion deleted = selector.complexDeletion();
    boolean begun = deleted != null && selector.isComplexDeletionActive();
    if (deleted != null && begun) {
      encoder.column(column);
      encoder.complexDeletion(
          deleted.row.complexDeletionTimestamp(), deleted.row.complexDeletionLocalTime());
    }
    for (int i = 0; i < atColumn.size; i++) {
      // With one version, one that is not written is left out; with several it does not matter.
      reduced |= !begun && atColumn.members[i].hasComplexDeletion();
      nextRemainingCell(atColumn.members[i]);
    }
    while (atPath.collectNextPath(atColumn, pathType)) {
      RowVersion best = selector.selectCell(atPath);
      if (best != null) {
        if (!begun) {
          encoder.column(column);
          begun = true;
        }
        encodeCell(best.row);
      }
      for (int i = 0; i < atPath.size; i++) {
        nextRemainingCell(atPath.members[i]);
      }
    }
  }

  /**
   * Moves a version to the next cell of its collection that is not covered: comparing the paths of
   * those that are would be in vain.
   */
  private void nextRemainingCell(RowVersion version) throws IOException {
    while (version.nextCell() && !selector.hasRemainingCell(version)) {
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
