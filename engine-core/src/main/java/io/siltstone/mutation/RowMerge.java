package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.mutation.RangeDeletions.Deletion;
import io.siltstone.type.CqlType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges all changes of one row into the row that is written. Of several changes of the same place
 * the one with the greatest timestamp remains. If two different changes share the greatest
 * timestamp, they contradict each other, and the row is rejected: a column that is set twice to
 * different values, or set and deleted; a collection that is set as a whole and by elements; a row
 * that is deleted and inserted.
 *
 * <pre>
 *   set v = 1 @ 10, set v = 2 @ 11      v = 2 @ 11
 *   set v = 1 @ 10, set v = 1 @ 10      v = 1 @ 10
 *   set v = 1 @ 10, set v = 2 @ 10      refused
 *   set v = 1 @ 10, delete row @ 10     refused
 *   set v = 1 @ 10, delete row @ 11     delete row @ 11
 * </pre>
 *
 * Takes time in proportion to n log n for n changes. Confined to one thread.
 */
final class RowMerge {
  private static final byte[] NOTHING = {};

  private final UnfilteredEncoder encoder;
  private final Kind staticKind;
  private final Kind regularKind;

  /** The columns of static or of regular rows. */
  private static final class Kind {
    private final boolean isStatic;
    private final List<HeaderColumn> columns;
    private final List<CqlType> types;
    // Sorts changes by place, and those of one place by timestamp, the latest first.
    private final Comparator<CellChange> order;

    Kind(RowEncoding encoding, boolean isStatic) {
      this.isStatic = isStatic;
      this.columns = encoding.header().columns(isStatic);
      this.types = columns.stream().map(HeaderColumn::type).toList();
      this.order =
          (left, right) -> {
            int place = comparePlaces(left, right);
            return place != 0 ? place : Long.compare(right.timestamp(), left.timestamp());
          };
    }

    /** Compares places in the order of cells; a whole column precedes its cells. */
    int comparePlaces(CellChange left, CellChange right) {
      if (left.column() != right.column()) {
        return Integer.compare(left.column(), right.column());
      }
      byte[] leftPath = left.path();
      byte[] rightPath = right.path();
      if (leftPath == null || rightPath == null) {
        return Boolean.compare(leftPath != null, rightPath != null);
      }
      return types
          .get(left.column())
          .pathType()
          .compare(leftPath, 0, leftPath.length, rightPath, 0, rightPath.length);
    }

    /** Returns whether it is of a whole multi-cell column. */
    boolean isWhole(CellChange change) {
      return change.path() == null && types.get(change.column()).isMultiCell();
    }

    String name(CellChange change) {
      return columns.get(change.column()).name();
    }
  }

  /**
   * Creates a merge of rows in an encoding.
   *
   * @param encoder that writes the rows
   */
  RowMerge(RowEncoding encoding, UnfilteredEncoder encoder) {
    this.encoder = encoder;
    this.staticKind = new Kind(encoding, true);
    this.regularKind = new Kind(encoding, false);
  }

  /**
   * Adds what remains of a row to an update.
   *
   * @param changes of the same row, at least one
   * @param active the deletion of the partition or range that covers the row, or {@link
   *     Deletion#NONE}
   * @throws ContradictionException if two changes with the same timestamp contradict each other
   */
  void add(boolean isStatic, List<RowChange> changes, Deletion active, PartitionUpdate update)
      throws ContradictionException {
    Kind kind = isStatic ? staticKind : regularKind;
    List<CellChange> cells = sorted(kind, changes);
    if (changes.size() == 1 && active.equals(Deletion.NONE) && isPlain(kind, cells)) {
      RowChange only = changes.get(0);
      begin(kind, only);
      encoder.liveness(only.livenessTimestamp, only.livenessTtl, only.livenessExpirationTime);
      encoder.deletion(only.deletionTimestamp, only.deletionLocalTime, false);
      encode(kind, cells);
    } else {
      merge(kind, changes, cells, active);
    }
    if (!encoder.isEmpty()) {
      encoder.finish(0);
      update.add(encoder);
    }
  }

  private static List<CellChange> sorted(Kind kind, List<RowChange> changes) {
    List<CellChange> cells = changes.get(0).cells;
    if (changes.size() > 1) {
      cells = new ArrayList<>(cells);
      for (RowChange change : changes.subList(1, changes.size())) {
        cells.addAll(change.cells);
      }
    }
    for (int i = 1; i < cells.size(); i++) {
      if (kind.order.compare(cells.get(i - 1), cells.get(i)) > 0) {
        List<CellChange> sorted = new ArrayList<>(cells);
        sorted.sort(kind.order);
        return sorted;
      }
    }
    return cells;
  }

  /** Returns whether each place is there once, and nothing meets a change of its whole column. */
  private static boolean isPlain(Kind kind, List<CellChange> cells) {
    CellChange whole = null;
    for (int i = 0; i < cells.size(); i++) {
      CellChange cell = cells.get(i);
      if (i > 0 && kind.comparePlaces(cells.get(i - 1), cell) == 0) {
        return false;
      }
      if (kind.isWhole(cell)) {
        whole = cell;
      } else if (whole != null
          && whole.column() == cell.column()
          && (cell.timestamp() <= whole.timestamp() || cell.operation() != whole.operation())) {
        return false;
      }
    }
    return true;
  }

  private void merge(Kind kind, List<RowChange> changes, List<CellChange> cells, Deletion active)
      throws ContradictionException {
    RowChange deletion = latestDeletion(changes);
    boolean isDeleted = deletion != null && deletion.deletionTimestamp > active.timestamp();
    long deletedAt = active.timestamp();
    if (deletion != null && isDeleted) {
      deletedAt = deletion.deletionTimestamp;
    }
    RowChange live = latestLiveness(changes, deletedAt);
    List<CellChange> kept = remaining(kind, cells, deletedAt);
    begin(kind, changes.get(0));
    if (live != null) {
      encoder.liveness(live.livenessTimestamp, live.livenessTtl, live.livenessExpirationTime);
    }
    if (deletion != null && isDeleted) {
      encoder.deletion(deletion.deletionTimestamp, deletion.deletionLocalTime, false);
    }
    encode(kind, kept);
  }

  private static @Nullable RowChange latestDeletion(List<RowChange> changes) {
    RowChange latest = null;
    for (RowChange change : changes) {
      if (!DeletionTime.isLive(change.deletionTimestamp)
          && (latest == null || change.deletionTimestamp > latest.deletionTimestamp)) {
        latest = change;
      }
    }
    return latest;
  }

  /** Returns the latest insertion of the row, or null if there is none that is not deleted. */
  private static @Nullable RowChange latestLiveness(List<RowChange> changes, long deletedAt)
      throws ContradictionException {
    RowChange latest = null;
    boolean isContradicted = false;
    for (RowChange change : changes) {
      if (DeletionTime.isLive(change.livenessTimestamp)) {
        continue;
      }
      if (latest == null || change.livenessTimestamp > latest.livenessTimestamp) {
        latest = change;
        isContradicted = false;
      } else if (change.livenessTimestamp == latest.livenessTimestamp) {
        isContradicted |=
            change.livenessTtl != latest.livenessTtl
                || change.livenessExpirationTime != latest.livenessExpirationTime;
      }
    }
    if (latest == null || latest.livenessTimestamp < deletedAt) {
      return null;
    }
    if (latest.livenessTimestamp == deletedAt) {
      throw new ContradictionException(
          "the row is inserted and deleted" + withSame(latest.livenessTimestamp));
    }
    if (isContradicted) {
      throw new ContradictionException(
          "the row is inserted twice" + withSame(latest.livenessTimestamp) + " and other TTLs");
    }
    return latest;
  }

  private static List<CellChange> remaining(Kind kind, List<CellChange> cells, long deletedAt)
      throws ContradictionException {
    List<CellChange> kept = new ArrayList<>(cells.size());
    for (int from = 0; from < cells.size(); ) {
      int column = cells.get(from).column();
      int to = from + 1;
      while (to < cells.size() && cells.get(to).column() == column) {
        to++;
      }
      keepColumn(kind, cells.subList(from, to), deletedAt, kept);
      from = to;
    }
    return kept;
  }

  /** Keeps the winning changes of one column. */
  private static void keepColumn(
      Kind kind, List<CellChange> cells, long deletedAt, List<CellChange> kept)
      throws ContradictionException {
    int first = 0;
    while (first < cells.size() && kind.isWhole(cells.get(first))) {
      first++;
    }
    CellChange whole = first == 0 ? null : latestWhole(kind, cells.subList(0, first), deletedAt);
    long coveredAt = deletedAt;
    if (first > 0 && cells.get(0).timestamp() > deletedAt) {
      // The changes are sorted: the one with the greatest timestamp is first.
      kept.add(cells.get(0));
      coveredAt = cells.get(0).timestamp();
    }
    for (int at = first; at < cells.size(); ) {
      CellChange latest = cells.get(at);
      int next = at + 1;
      while (next < cells.size() && kind.comparePlaces(latest, cells.get(next)) == 0) {
        next++;
      }
      if (isRemaining(kind, latest, whole, coveredAt)) {
        requireNoOther(kind, cells.subList(at, next));
        kept.add(latest);
      }
      at = next;
    }
  }

  /** Returns the change of the whole column that takes effect last, or null if it is deleted. */
  private static @Nullable CellChange latestWhole(
      Kind kind, List<CellChange> wholes, long deletedAt) throws ContradictionException {
    CellChange latest = wholes.get(0);
    boolean isContradicted = false;
    for (CellChange whole : wholes.subList(1, wholes.size())) {
      if (whole.effectiveAt() > latest.effectiveAt()) {
        latest = whole;
        isContradicted = false;
      } else if (whole.effectiveAt() == latest.effectiveAt()) {
        isContradicted |= !whole.isTombstone() || !latest.isTombstone();
      }
    }
    if (latest.effectiveAt() < deletedAt) {
      return null;
    }
    if (isContradicted) {
      throw twice(kind, latest, latest.effectiveAt());
    }
    return latest;
  }

  private static boolean isRemaining(
      Kind kind, CellChange cell, @Nullable CellChange whole, long coveredAt)
      throws ContradictionException {
    if (whole != null
        && cell.timestamp() == whole.effectiveAt()
        && cell.operation() != whole.operation()
        && (!cell.isTombstone() || !whole.isTombstone())) {
      throw new ContradictionException(
          "column '"
              + kind.name(cell)
              + "' is "
              + (whole.isTombstone() ? "deleted" : "set")
              + " as a whole, and an element of it is changed,"
              + withSame(cell.timestamp()));
    }
    if (cell.timestamp() == coveredAt && !cell.isTombstone()) {
      throw new ContradictionException(
          "column '"
              + kind.name(cell)
              + "' is set, and deleted with its row, range or partition,"
              + withSame(cell.timestamp()));
    }
    return cell.timestamp() > coveredAt;
  }

  /**
   * Rejects changes of one place that differ from the latest but have the same timestamp.
   *
   * @param changes of the place, the latest first
   */
  private static void requireNoOther(Kind kind, List<CellChange> changes)
      throws ContradictionException {
    CellChange latest = changes.get(0);
    for (int i = 1; i < changes.size() && changes.get(i).timestamp() == latest.timestamp(); i++) {
      if (!latest.isSameAs(changes.get(i))) {
        throw twice(kind, latest, latest.timestamp());
      }
    }
  }

  private static ContradictionException twice(Kind kind, CellChange change, long timestamp) {
    return new ContradictionException(
        (change.path() == null ? "column '" : "an element of column '")
            + kind.name(change)
            + "' is set twice"
            + withSame(timestamp));
  }

  private static String withSame(long timestamp) {
    return " with the same timestamp " + timestamp;
  }

  private void begin(Kind kind, RowChange change) {
    if (kind.isStatic) {
      encoder.beginStaticRow();
    } else {
      encoder.beginRow();
      for (byte[] value : change.clustering) {
        encoder.clusteringValue(value, 0, value.length);
      }
    }
  }

  private void encode(Kind kind, List<CellChange> cells) {
    for (int i = 0; i < cells.size(); i++) {
      CellChange cell = cells.get(i);
      if (i == 0 || cells.get(i - 1).column() != cell.column()) {
        encoder.column(cell.column());
      }
      if (kind.isWhole(cell)) {
        encoder.complexDeletion(cell.timestamp(), cell.localDeletionTime());
      } else {
        encode(cell);
      }
    }
  }

  private void encode(CellChange cell) {
    byte[] path = cell.path() == null ? NOTHING : cell.path();
    byte[] value = cell.value() == null ? NOTHING : cell.value();
    encoder.cell(
        cell.timestamp(),
        cell.ttl(),
        cell.localDeletionTime(),
        path,
        0,
        path.length,
        value,
        0,
        value.length);
  }
}
