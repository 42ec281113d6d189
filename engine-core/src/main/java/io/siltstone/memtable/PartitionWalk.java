package io.siltstone.memtable;

import io.siltstone.cursor.ByteOrigin;
import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks one partition of a memtable in the state of a sequence number: its static row, then rows
 * and range-tombstone markers of slices, forward or reversed.
 *
 * <p>An example of the memtable read of a partition. A reader with sequence number 3 reads rows 2
 * to 8:
 *
 * <pre>
 *   sequence 1   INSERT rows 1, 3, 5, 9 at 10
 *   sequence 2   DELETE rows 4 to 6 at 20     a run with one range
 *   sequence 3   INSERT row 6 at 30
 *   sequence 4   UPDATE row 3 at 40           newer than the reader
 * </pre>
 *
 * It shows row 3 in its version of sequence 1, the start of the range at 4, row 6, since it is
 * newer than the range, and the end of the range at 6. Row 5 is covered by the range, rows 1 and 9
 * are not in the slice.
 *
 * <p>Rows that the partition's own deletions cover are not shown. A range tombstone that reaches
 * into a slice is cut at the slice. Reusable, confined to one thread; allocates nothing once its
 * arrays have grown to the largest row.
 */
final class PartitionWalk {
  private final boolean clustered;
  private final ClusteringComparator comparator;
  private final RowPlaces places;
  private final RangeWalk ranges;
  private final RowMerger rowMerger;
  private final Clustering bound = new Clustering();
  private final UnfilteredEncoder markerEncoder;
  private final Unfiltered marker;

  private Arena arena;
  private int sequence;
  private int partition;
  private List<Slice> slices = List.of();
  private boolean reversed;
  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private long deletionTimestamp;
  private long deletionLocalTime;
  private boolean hasRanges;

  private boolean staticPending;
  private int sliceIndex;
  private boolean inSlice;
  // The next row, unless a marker precedes it.
  private int pendingVersion;
  private boolean rowsDone;
  // Whether the only row of a partition without clustering columns is still to be shown.
  private boolean onlyRowPending;
  private final Clustering rowPlace = new Clustering();
  private @Nullable Unfiltered shown;

  PartitionWalk(RowEncoding encoding, Arena arena) {
    this.clustered = !encoding.header().clusteringTypes().isEmpty();
    this.comparator = new ClusteringComparator(encoding.header().clusteringTypes());
    this.arena = arena;
    this.places = new RowPlaces(encoding, arena);
    this.ranges = new RangeWalk(encoding, arena);
    this.rowMerger = new RowMerger(encoding);
    this.markerEncoder = new UnfilteredEncoder(encoding);
    ByteOrigin origin =
        (index, reason) -> new IOException("a marker made of a memtable is wrong: " + reason);
    this.marker = new Unfiltered(encoding, origin);
  }

  /** Sets the signal that cancels steps. */
  void cancelOn(CancelSignal of) {
    cancelSignal = of;
    ranges.cancelOn(of);
  }

  /**
   * Moves to a partition.
   *
   * @param node of the partition, NONE for an empty one
   * @param within in clustering order, not overlapping
   */
  void begin(Arena of, int node, int forSequence, List<Slice> within, boolean inReverse) {
    arena = of;
    partition = node;
    sequence = forSequence;
    slices = within;
    reversed = inReverse;
    shown = null;
    inSlice = false;
    staticPending = node != Arena.NONE;
    sliceIndex = node == Arena.NONE ? slices.size() : 0;
    deletionTimestamp = DeletionTime.NO_TIMESTAMP;
    deletionLocalTime = DeletionTime.NO_DELETION_TIME;
    hasRanges = false;
    if (node != Arena.NONE) {
      int state =
          PartitionState.visible(arena, arena.getIntAcquire(node, PartitionList.STATE), sequence);
      deletionTimestamp = PartitionState.timestamp(arena, state);
      deletionLocalTime = PartitionState.localTime(arena, state);
      int runs = PartitionState.runs(arena, state);
      hasRanges = runs != Arena.NONE;
      ranges.open(arena, runs, Integer.MAX_VALUE, deletionTimestamp, deletionLocalTime);
    }
  }

  /** Returns the size of the buffers, see {@link RowMerger#heldBytes()}. */
  long heldBytes() {
    return rowMerger.heldBytes();
  }

  long deletionTimestamp() {
    return deletionTimestamp;
  }

  long deletionLocalTime() {
    return deletionLocalTime;
  }

  Unfiltered unfiltered() {
    if (shown == null) {
      throw new IllegalStateException("no row or marker is shown");
    }
    return shown;
  }

  /** Moves to the next row or marker; false after the last. */
  boolean next() throws IOException {
    shown = null;
    if (staticPending) {
      staticPending = false;
      int version = visible(partition, PartitionList.STATIC_ROW);
      if (version != Arena.NONE) {
        shown = rowMerger.read(arena, version, deletionTimestamp, deletionLocalTime);
        if (shown != null) {
          return true;
        }
      }
    }
    while (true) {
      cancelSignal.throwIfCancelled();
      if (!inSlice) {
        if (sliceIndex == slices.size()) {
          return false;
        }
        if (beginSlice()) {
          return true;
        }
      }
      if (advance()) {
        return true;
      }
    }
  }

  private Slice slice() {
    return slices.get(reversed ? slices.size() - 1 - sliceIndex : sliceIndex);
  }

  /**
   * Begins a slice; returns whether a marker is shown for a range tombstone that is open at its
   * first bound.
   */
  private boolean beginSlice() throws IOException {
    Slice slice = slice();
    inSlice = true;
    rowsDone = false;
    pendingVersion = Arena.NONE;
    if (clustered) {
      places.begin(arena, arena.getIntAcquire(partition, PartitionList.ROWS), slice, reversed);
    } else {
      onlyRowPending = true;
    }
    if (!hasRanges) {
      return false;
    }
    ranges.begin(slice, reversed);
    return showOpen(reversed ? slice.end() : slice.start());
  }

  private boolean showOpen(Clustering at) throws IOException {
    if (DeletionTime.isLive(ranges.openTimestamp())) {
      return false;
    }
    show(at, ranges.openTimestamp(), ranges.openLocalTime(), 0, 0);
    return true;
  }

  /** Moves to the next row or marker of the slice; false if there is none, or if it is covered. */
  private boolean advance() throws IOException {
    if (pendingVersion == Arena.NONE && !rowsDone) {
      pendingVersion = nextVersion();
      rowsDone = pendingVersion == Arena.NONE;
    }
    if (hasRanges && ranges.isPending() && (rowsDone || order(ranges.place(), rowPlace) < 0)) {
      showChange();
      ranges.pass();
      return true;
    }
    if (!rowsDone) {
      // An open range has a greater timestamp than the partition's deletion, which would otherwise
      // cover it.
      boolean inRange = hasRanges && !DeletionTime.isLive(ranges.openTimestamp());
      shown =
          rowMerger.read(
              arena,
              pendingVersion,
              inRange ? ranges.openTimestamp() : deletionTimestamp,
              inRange ? ranges.openLocalTime() : deletionLocalTime);
      pendingVersion = Arena.NONE;
      return shown != null;
    }
    Slice slice = slice();
    inSlice = false;
    sliceIndex++;
    return hasRanges && showOpen(reversed ? slice.start() : slice.end());
  }

  private int order(Clustering left, Clustering right) {
    return reversed ? comparator.compare(right, left) : comparator.compare(left, right);
  }

  /** Returns the visible version of the next row, and notes its clustering if there are ranges. */
  private int nextVersion() {
    if (!clustered) {
      boolean first = onlyRowPending;
      onlyRowPending = false;
      return first && isOnlyRowIn(slice()) ? visible(partition, PartitionList.ROWS) : Arena.NONE;
    }
    while (true) {
      cancelSignal.throwIfCancelled();
      int row = places.next();
      if (row == Arena.NONE) {
        return Arena.NONE;
      }
      int version = visible(row, RowList.NEWEST);
      if (version != Arena.NONE) {
        if (hasRanges) {
          rowPlace.copyFrom(places.clustering(row));
        }
        return version;
      }
    }
  }

  /**
   * Returns whether a slice contains the only row of a partition without clustering columns: a
   * bound may exclude it, which is possible though of little use.
   */
  private boolean isOnlyRowIn(Slice slice) {
    return comparator.compare(slice.start(), rowPlace) < 0
        && comparator.compare(rowPlace, slice.end()) < 0;
  }

  private int visible(int node, int field) {
    return RowVersions.visible(arena, arena.getIntAcquire(node, field), sequence);
  }

  private void showChange() throws IOException {
    // In a reversed walk the range that is left begins here.
    long endTimestamp = reversed ? ranges.nextTimestamp() : ranges.openTimestamp();
    long endLocalTime = reversed ? ranges.nextLocalTime() : ranges.openLocalTime();
    long startTimestamp = reversed ? ranges.openTimestamp() : ranges.nextTimestamp();
    long startLocalTime = reversed ? ranges.openLocalTime() : ranges.nextLocalTime();
    Clustering place = ranges.place();
    if (DeletionTime.isLive(endTimestamp)) {
      bound.copyFrom(place, place.kind().startBound());
      show(bound, startTimestamp, startLocalTime, 0, 0);
    } else if (DeletionTime.isLive(startTimestamp)) {
      bound.copyFrom(place, place.kind().endBound());
      show(bound, endTimestamp, endLocalTime, 0, 0);
    } else {
      bound.copyFrom(place, place.kind().boundary());
      show(bound, endTimestamp, endLocalTime, startTimestamp, startLocalTime);
    }
  }

  private void show(
      Clustering at, long timestamp, long localTime, long startTimestamp, long startLocalTime)
      throws IOException {
    markerEncoder
        .marker(at, timestamp, localTime, startTimestamp, startLocalTime, 0)
        .wrapWith(marker);
    shown = marker;
  }
}
