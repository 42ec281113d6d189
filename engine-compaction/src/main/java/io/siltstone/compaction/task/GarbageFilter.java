package io.siltstone.compaction.task;

import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Reconciler;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.ShadowFilter;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.partitioner.PartitionKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collection: leaves out the data that overlapping SSTables outside of the compaction have
 * deleted. These are partitions, ranges and rows that their deletions cover; and, if asked for,
 * cells that they have deleted or overwritten.
 *
 * <p>A deletion is left out only if another one supersedes it. Of two equal ones both stay: two
 * tasks that each look at the inputs of the other must not both leave them out. Cassandra leaves
 * out equal deletions of partitions and ranges.
 *
 * <p>Both cursors advance through their partitions together. Nothing is allocated per partition,
 * row or cell. Confined to one thread; closing it closes both cursors. Source: Cassandra {@code
 * CompactionIterator.GarbageSkipper}.
 */
final class GarbageFilter implements PartitionCursor {
  private final PartitionCursor source;
  private final PartitionCursor shadow;
  private final StageCounters.Flow covered;
  private final BoundaryKeyCheck boundaryKeyCheck;
  private final ClusteringComparator order;
  private final Reconciler reconciler;
  private final @Nullable ShadowFilter cells;
  private final UnfilteredEncoder encoder;
  private final Unfiltered marker;
  private final Clustering bound = new Clustering();
  private final Unfiltered[] version = new Unfiltered[1];

  private boolean hasShadow;
  private boolean isStarted;
  // Whether the shadowing cursor has the present partition.
  private boolean isShadowed;
  private long deletionTimestamp;
  private long deletionLocalTime;
  private final Deletion shadowPartition = new Deletion();
  private final Deletion shadowRange = new Deletion();
  private final Deletion sourceRange = new Deletion();
  private boolean isRangeShown;
  private @Nullable Unfiltered sourceHead;
  private @Nullable Unfiltered shadowHead;
  // The unfiltered that is shown may be a view of a head, so a head moves on only with the next
  // call.
  private boolean sourceWasShown;
  private boolean shadowWasPassed;
  private boolean firstIsPending;
  private @Nullable Unfiltered unfiltered;

  /** A deletion, or none. */
  private static final class Deletion {
    private long timestamp = DeletionTime.NO_TIMESTAMP;
    private long localTime = DeletionTime.NO_DELETION_TIME;

    void set(long ofTimestamp, long ofLocalTime) {
      timestamp = ofTimestamp;
      localTime = ofLocalTime;
    }

    void clear() {
      set(DeletionTime.NO_TIMESTAMP, DeletionTime.NO_DELETION_TIME);
    }

    boolean isLive() {
      return DeletionTime.isLive(timestamp);
    }

    boolean supersedes(long otherTimestamp, long otherLocalTime) {
      return !isLive()
          && (DeletionTime.isLive(otherTimestamp)
              || (timestamp != otherTimestamp
                  ? timestamp > otherTimestamp
                  : localTime > otherLocalTime));
    }

    /** Takes over the deletion that is active after a marker. */
    void pass(Unfiltered marker) {
      if (marker.clustering().kind().opens()) {
        set(marker.openTimestamp(), marker.openLocalTime());
      } else {
        clear();
      }
    }
  }

  /**
   * @param source the cursor to filter; its rows have only columns of {@code table}
   * @param shadow the cursor of overlapping SSTables; its rows have only columns of {@code table}
   * @param level whether rows or also cells are left out
   * @param boundaryKeyCheck notified of partitions of which nothing is left
   */
  GarbageFilter(
      PartitionCursor source,
      PartitionCursor shadow,
      TableEncoding table,
      OverlappingTombstones level,
      StageCounters.Flow covered,
      BoundaryKeyCheck boundaryKeyCheck) {
    this.source = source;
    this.shadow = shadow;
    this.covered = covered;
    this.boundaryKeyCheck = boundaryKeyCheck;
    this.order = new ClusteringComparator(table.rows().header().clusteringTypes());
    this.reconciler = new Reconciler(table);
    this.cells = level == OverlappingTombstones.CELL ? new ShadowFilter(table) : null;
    this.encoder = new UnfilteredEncoder(table.rows());
    this.marker =
        new Unfiltered(
            table.rows(),
            (index, reason) -> new IOException("a marker that was cut is damaged: " + reason));
  }

  @Override
  public RowEncoding encoding() {
    return encoder.encoding();
  }

  @Override
  public boolean nextPartition() throws IOException {
    while (source.nextPartition()) {
      findShadow();
      deletionTimestamp = source.deletionTimestamp();
      deletionLocalTime = source.deletionLocalTime();
      firstIsPending = false;
      if (!isShadowed) {
        return true;
      }
      begin();
      if (!DeletionTime.isLive(deletionTimestamp)) {
        return true;
      }
      if (findNext()) {
        firstIsPending = true;
        return true;
      }
      covered.partition(source.key());
      boundaryKeyCheck.pass(source.key());
    }
    return false;
  }

  private void findShadow() throws IOException {
    if (!isStarted) {
      isStarted = true;
      hasShadow = shadow.nextPartition();
    }
    while (hasShadow && shadow.key().compareTo(source.key()) < 0) {
      hasShadow = shadow.nextPartition();
    }
    isShadowed = hasShadow && shadow.key().compareTo(source.key()) == 0;
  }

  private void begin() throws IOException {
    shadowPartition.set(shadow.deletionTimestamp(), shadow.deletionLocalTime());
    if (!DeletionTime.isLive(deletionTimestamp)
        && shadowPartition.supersedes(deletionTimestamp, deletionLocalTime)) {
      covered.deletion(deletionTimestamp);
      deletionTimestamp = DeletionTime.NO_TIMESTAMP;
      deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    }
    shadowRange.clear();
    sourceRange.clear();
    isRangeShown = false;
    sourceHead = next(source);
    shadowHead = next(shadow);
  }

  private static @Nullable Unfiltered next(PartitionCursor cursor) throws IOException {
    return cursor.nextUnfiltered() ? cursor.unfiltered() : null;
  }

  @Override
  public PartitionKey key() {
    return source.key();
  }

  @Override
  public long deletionTimestamp() {
    return deletionTimestamp;
  }

  @Override
  public long deletionLocalTime() {
    return deletionLocalTime;
  }

  @Override
  public boolean nextUnfiltered() throws IOException {
    if (!isShadowed) {
      return source.nextUnfiltered();
    }
    if (firstIsPending) {
      firstIsPending = false;
      return true;
    }
    return findNext();
  }

  @Override
  public Unfiltered unfiltered() {
    Unfiltered present = isShadowed ? unfiltered : source.unfiltered();
    if (present == null) {
      throw new IllegalStateException("there is no present row or marker");
    }
    return present;
  }

  private boolean findNext() throws IOException {
    while (true) {
      if (sourceWasShown) {
        sourceWasShown = false;
        sourceHead = next(source);
      }
      if (shadowWasPassed) {
        shadowWasPassed = false;
        shadowHead = next(shadow);
      }
      Unfiltered head = sourceHead;
      if (head == null) {
        return false;
      }
      Unfiltered other = shadowHead;
      int compared = other == null ? -1 : compare(head, other);
      sourceWasShown = compared <= 0;
      shadowWasPassed = compared >= 0;
      if (other != null && compared >= 0 && other.isMarker()) {
        shadowRange.pass(other);
      }
      Unfiltered left;
      if (compared > 0) {
        left = other != null && other.isMarker() ? reopen(other) : null;
      } else if (head.isMarker()) {
        left = filterMarker(head);
        covered.markers += left == null ? 1 : 0;
      } else {
        left = filterRow(head, compared == 0 ? other : null);
        covered.rows += left == null ? 1 : 0;
        if (left == null || !left.hasDeletion()) {
          covered.rowDeletion(head);
        }
      }
      if (left != null) {
        unfiltered = left;
        return true;
      }
    }
  }

  private int compare(Unfiltered left, Unfiltered right) {
    if (left.isStatic() || right.isStatic()) {
      return Boolean.compare(right.isStatic(), left.isStatic());
    }
    return order.compare(left.clustering(), right.clustering());
  }

  /** Returns the greatest deletion of the shadowing cursor at this place. */
  private Deletion active() {
    return shadowRange.supersedes(shadowPartition.timestamp, shadowPartition.localTime)
        ? shadowRange
        : shadowPartition;
  }

  private @Nullable Unfiltered filterRow(Unfiltered row, @Nullable Unfiltered other)
      throws IOException {
    Deletion active = active();
    long timestamp = active.timestamp;
    long localTime = active.localTime;
    if (other != null
        && other.hasDeletion()
        && !other.isDeletionShadowable()
        && !active.supersedes(other.deletionTimestamp(), other.deletionLocalTime())) {
      timestamp = other.deletionTimestamp();
      localTime = other.deletionLocalTime();
    }
    Unfiltered left = row;
    if (!DeletionTime.isLive(timestamp)) {
      version[0] = row;
      // A deletion with the same timestamp and an earlier time covers the same, and keeps an equal
      // deletion.
      left = reconciler.reconcile(version, 1, timestamp, localTime - 1);
    }
    if (left == null || other == null || cells == null) {
      return left;
    }
    return cells.filter(left, other);
  }

  /**
   * Returns those sides of a marker that the shadowing deletion does not supersede; null if none is
   * left.
   */
  private @Nullable Unfiltered filterMarker(Unfiltered of) throws IOException {
    sourceRange.pass(of);
    boolean wasShown = isRangeShown;
    isRangeShown =
        !sourceRange.isLive() && !active().supersedes(sourceRange.timestamp, sourceRange.localTime);
    ClusteringKind kind = of.clustering().kind();
    if (!wasShown && !isRangeShown) {
      return null;
    }
    if (!kind.isBoundary() || (wasShown && isRangeShown)) {
      return of;
    }
    return wasShown
        ? cut(
            of,
            kind.comparedToClustering() < 0
                ? ClusteringKind.EXCL_END_BOUND
                : ClusteringKind.INCL_END_BOUND,
            of.deletionTimestamp(),
            of.deletionLocalTime())
        : start(of);
  }

  /** Begins a range again where the shadowing deletion that had superseded it ends. */
  private @Nullable Unfiltered reopen(Unfiltered at) throws IOException {
    if (isRangeShown
        || sourceRange.isLive()
        || active().supersedes(sourceRange.timestamp, sourceRange.localTime)) {
      return null;
    }
    isRangeShown = true;
    // This adds a marker that the source does not have.
    covered.markers--;
    return start(at);
  }

  private Unfiltered start(Unfiltered at) throws IOException {
    boolean isBeforeRows = at.clustering().kind().comparedToClustering() < 0;
    return cut(
        at,
        isBeforeRows ? ClusteringKind.INCL_START_BOUND : ClusteringKind.EXCL_START_BOUND,
        sourceRange.timestamp,
        sourceRange.localTime);
  }

  private Unfiltered cut(Unfiltered at, ClusteringKind kind, long timestamp, long localTime)
      throws IOException {
    bound.copyFrom(at.clustering(), kind);
    encoder.marker(bound, timestamp, localTime, timestamp, localTime, 0).wrapWith(marker);
    return marker;
  }

  @Override
  public void close() throws IOException {
    try (source) {
      shadow.close();
    }
  }
}
