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
  private static final int NO_COLUMN = Integer.MAX_VALUE;

  private final ColumnMaps maps;
  private final Kind staticKind;
  private final Kind regularKind;
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;
  private final CounterMerge counter = new CounterMerge();

  // Of each version, to the table's columns.
  private ColumnMap[] columnMaps = {};
  private Version[] versions = {};
  private int count;
  private Kind kind;
  // Whether something of a version was left out.
  private boolean reduced;
  private long activeTimestamp;
  private long activeLocalTime;

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
    for (Version version : versions) {
      version.row = result;
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
    activeTimestamp = deletionTimestamp;
    activeLocalTime = deletionLocalTime;
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
        versions[i] = new Version(result, maps.of(result.encoding()));
      }
    }
    reduced = false;
    for (int i = 0; i < count; i++) {
      versions[i].begin(rows[i], columnMaps[i]);
    }
  }

  /** Clustering, liveness and deletion; what is active afterwards covers the cells. */
  private void encodeHead(Unfiltered first) {
    if (first.isStatic()) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      encoder.clustering(first.clustering());
    }
    Unfiltered live = first;
    Unfiltered deleted = first;
    for (int i = 1; i < count; i++) {
      Unfiltered row = versions[i].row;
      if (ConflictRules.livenessSupersedes(
          row.livenessTimestamp(),
          row.livenessTtl(),
          row.livenessExpirationTime(),
          live.livenessTimestamp(),
          live.livenessTtl(),
          live.livenessExpirationTime())) {
        live = row;
      }
      if (row.hasDeletion()
          && (!deleted.hasDeletion() || ConflictRules.rowDeletionSupersedes(row, deleted))) {
        deleted = row;
      }
    }
    if (deleted.hasDeletion()) {
      boolean yields =
          deleted.isDeletionShadowable() && live.livenessTimestamp() > deleted.deletionTimestamp();
      if (!yields
          && ConflictRules.deletionSupersedes(
              deleted.deletionTimestamp(),
              deleted.deletionLocalTime(),
              activeTimestamp,
              activeLocalTime)) {
        activeTimestamp = deleted.deletionTimestamp();
        activeLocalTime = deleted.deletionLocalTime();
        encoder.deletion(activeTimestamp, activeLocalTime, deleted.isDeletionShadowable());
      } else {
        reduced = true;
      }
    }
    if (live.livenessTimestamp() > activeTimestamp) {
      encoder.liveness(live.livenessTimestamp(), live.livenessTtl(), live.livenessExpirationTime());
    } else {
      reduced |= live.hasLiveness();
    }
  }

  private void encodeColumns() throws IOException {
    for (int i = 0; i < count; i++) {
      nextColumn(versions[i]);
    }
    while (true) {
      int column = NO_COLUMN;
      for (int i = 0; i < count; i++) {
        column = Math.min(column, versions[i].column);
      }
      if (column == NO_COLUMN) {
        return;
      }
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
    }
  }

  /** Moves a version to its next column that the table has. */
  private void nextColumn(Version version) throws IOException {
    Unfiltered row = version.row;
    while (row.nextColumn()) {
      int column = version.indexes[row.columnIndex()];
      if (column != ColumnMap.LEFT_OUT) {
        version.column = column;
        version.droppedAt = version.columnsDroppedAt[row.columnIndex()];
        return;
      }
      reduced = true;
    }
    version.column = NO_COLUMN;
  }

  /** Moves a version to the next cell of its column that is not covered. */
  private void nextCell(Version version, long coveredTo) throws IOException {
    long gone = Math.max(coveredTo, version.droppedAt);
    while (version.row.nextCell()) {
      if (version.row.cellTimestamp() > gone) {
        version.hasCell = true;
        return;
      }
      reduced = true;
    }
    version.hasCell = false;
  }

  private void encodeSimple(int column) throws IOException {
    @Nullable Unfiltered best = null;
    for (int i = 0; i < count; i++) {
      Version version = versions[i];
      if (version.column == column) {
        nextCell(version, activeTimestamp);
        if (version.hasCell && (best == null || ConflictRules.compare(version.row, best) > 0)) {
          best = version.row;
        }
      }
    }
    if (best != null) {
      encoder.column(column);
      encodeCell(best);
    }
  }

  private void encodeCounter(int column) throws IOException {
    @Nullable Unfiltered only = null;
    @Nullable Unfiltered tombstone = null;
    boolean several = false;
    for (int i = 0; i < count; i++) {
      Version version = versions[i];
      if (version.column != column) {
        continue;
      }
      nextCell(version, activeTimestamp);
      Unfiltered row = version.row;
      if (!version.hasCell) {
        continue;
      }
      if (row.isCellTombstone()) {
        tombstone =
            tombstone == null || ConflictRules.compare(row, tombstone) > 0 ? row : tombstone;
      } else if (only == null) {
        only = row;
        counter.begin(row);
      } else {
        several = true;
        counter.add(row);
      }
    }
    if (tombstone == null && only == null) {
      return;
    }
    encoder.column(column);
    if (tombstone != null) {
      encodeCell(tombstone);
    } else if (only != null && !several) {
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
    long timestamp = DeletionTime.NO_TIMESTAMP;
    long localTime = DeletionTime.NO_DELETION_TIME;
    for (int i = 0; i < count; i++) {
      Version version = versions[i];
      if (version.column == column && version.hasComplexDeletion()) {
        Unfiltered row = version.row;
        if (row.complexDeletionTimestamp() <= version.droppedAt) {
          reduced = true;
        } else if (DeletionTime.isLive(timestamp)
            || ConflictRules.deletionSupersedes(
                row.complexDeletionTimestamp(),
                row.complexDeletionLocalTime(),
                timestamp,
                localTime)) {
          timestamp = row.complexDeletionTimestamp();
          localTime = row.complexDeletionLocalTime();
        }
      }
    }
    boolean begun = false;
    long coveredTo = activeTimestamp;
    if (!DeletionTime.isLive(timestamp)
        && ConflictRules.deletionSupersedes(
            timestamp, localTime, activeTimestamp, activeLocalTime)) {
      coveredTo = timestamp;
      encoder.column(column);
      encoder.complexDeletion(timestamp, localTime);
      begun = true;
    } else {
      reduced |= !DeletionTime.isLive(timestamp);
    }
    for (int i = 0; i < count; i++) {
      Version version = versions[i];
      version.hasCell = false;
      if (version.column == column) {
        nextCell(version, coveredTo);
      }
    }
    Version least = leastCell(pathType, coveredTo);
    while (least != null) {
      if (!begun) {
        encoder.column(column);
        begun = true;
      }
      encodeCell(least.row);
      nextCell(least, coveredTo);
      least = leastCell(pathType, coveredTo);
    }
  }

  /** The version whose cell comes next; those that lose to it on the same path have moved on. */
  private @Nullable Version leastCell(CqlType pathType, long coveredTo) throws IOException {
    @Nullable Version best = null;
    for (int i = 0; i < count; i++) {
      Version version = versions[i];
      if (!version.hasCell) {
        continue;
      }
      if (best == null) {
        best = version;
        continue;
      }
      int order = comparePaths(pathType, version.row, best.row);
      if (order < 0) {
        best = version;
      } else if (order == 0) {
        boolean wins = ConflictRules.compare(version.row, best.row) > 0;
        nextCell(wins ? best : version, coveredTo);
        best = wins ? version : best;
      }
    }
    return best;
  }

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

  /** One version and where its walk stands, in terms of the table's columns. */
  private static final class Version {
    private Unfiltered row;
    private int[] indexes;
    private long[] columnsDroppedAt;
    private int column;
    private long droppedAt;
    private boolean hasCell;

    Version(Unfiltered row, ColumnMap map) {
      this.row = row;
      this.indexes = map.indexes(row.isStatic());
      this.columnsDroppedAt = map.droppedAt(row.isStatic());
    }

    void begin(Unfiltered of, ColumnMap map) {
      row = of;
      indexes = map.indexes(of.isStatic());
      columnsDroppedAt = map.droppedAt(of.isStatic());
    }

    boolean hasComplexDeletion() {
      return row.isComplex() && !DeletionTime.isLive(row.complexDeletionTimestamp());
    }
  }
}
