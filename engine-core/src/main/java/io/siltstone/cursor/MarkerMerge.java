package io.siltstone.cursor;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Merges the range-tombstone markers of several sources within one partition.
 *
 * <p>The merge keeps the range deletion that is open in each source at the present position. It
 * emits a marker where the greatest of them changes, unless the partition's deletion covers both
 * sides. An example of two sources, with clusterings 1 to 9:
 *
 * <pre>
 *   source A   deletes [1, 5] at 10
 *   source B   deletes [3, 9] at 20
 *   result     deletes [1, 3) at 10, [3, 9] at 20: a start bound at 1, a boundary at 3, an end bound at 9
 * </pre>
 *
 * A's end at 5 yields nothing, as the greatest deletion does not change there. Forward and reversed
 * merges emit the same markers, which have the form they would have in a file.
 *
 * <p>Reusable, confined to one thread, allocates nothing per marker. Source: Cassandra {@code
 * RangeTombstoneMarker.Merger}.
 */
final class MarkerMerge {
  private final Reconciler reconciler;
  private final UnfilteredEncoder encoder;
  private final Unfiltered result;
  private final Clustering bound = new Clustering();

  private boolean reversed;
  private long partitionTimestamp;
  private long partitionLocalTime;
  private int count;
  private long[] openTimestamps = {};
  private long[] openLocalTimes = {};
  // The greatest open deletion, or none.
  private long timestamp;
  private long localTime;

  MarkerMerge(RowEncoding rows, Reconciler reconciler) {
    this.reconciler = reconciler;
    this.encoder = new UnfilteredEncoder(rows);
    this.result =
        new Unfiltered(
            rows,
            (index, reason) -> new IOException("a marker made of several is damaged: " + reason));
  }

  /** Begins a partition with a deletion (or none) and a number of sources. */
  void begin(int sources, long deletionTimestamp, long deletionLocalTime, boolean isReversed) {
    if (openTimestamps.length < sources) {
      openTimestamps = new long[sources];
      openLocalTimes = new long[sources];
    }
    count = sources;
    reversed = isReversed;
    partitionTimestamp = deletionTimestamp;
    partitionLocalTime = deletionLocalTime;
    Arrays.fill(openTimestamps, 0, sources, DeletionTime.NO_TIMESTAMP);
    timestamp = DeletionTime.NO_TIMESTAMP;
    localTime = DeletionTime.NO_DELETION_TIME;
  }

  /**
   * Returns the timestamp of the deletion that covers rows at this position: that of a range or of
   * the partition, or none.
   */
  long activeTimestamp() {
    return DeletionTime.isLive(timestamp) ? partitionTimestamp : timestamp;
  }

  /** Returns the local deletion time that belongs to {@link #activeTimestamp()}. */
  long activeLocalTime() {
    return DeletionTime.isLive(timestamp) ? partitionLocalTime : localTime;
  }

  /**
   * Merges the markers of all sources at one place.
   *
   * @param heads the markers, by source
   * @param sources indexes of the sources that have a marker here
   * @param size number of these sources
   * @return the merged marker, or null if the greatest open deletion stays the same
   */
  @Nullable Unfiltered merge(@Nullable Unfiltered[] heads, int[] sources, int size)
      throws IOException {
    Unfiltered marker = null;
    for (int i = 0; i < size; i++) {
      Unfiltered head = heads[sources[i]];
      if (head != null) {
        pass(sources[i], head);
        marker = head;
      }
    }
    long before = timestamp;
    long localBefore = localTime;
    findOpen();
    if (marker == null || (before == timestamp && localBefore == localTime)) {
      return null;
    }
    return reversed
        ? marker(marker, size, timestamp, localTime, before, localBefore)
        : marker(marker, size, before, localBefore, timestamp, localTime);
  }

  private void pass(int source, Unfiltered marker) {
    ClusteringKind kind = marker.clustering().kind();
    if (reversed ? !kind.closes() : !kind.opens()) {
      openTimestamps[source] = DeletionTime.NO_TIMESTAMP;
    } else if (reversed) {
      openTimestamps[source] = marker.deletionTimestamp();
      openLocalTimes[source] = marker.deletionLocalTime();
    } else {
      openTimestamps[source] = marker.openTimestamp();
      openLocalTimes[source] = marker.openLocalTime();
    }
  }

  private void findOpen() {
    timestamp = DeletionTime.NO_TIMESTAMP;
    localTime = DeletionTime.NO_DELETION_TIME;
    for (int i = 0; i < count; i++) {
      if (!DeletionTime.isLive(openTimestamps[i])
          && supersedes(
              openTimestamps[i], openLocalTimes[i], partitionTimestamp, partitionLocalTime)
          && supersedes(openTimestamps[i], openLocalTimes[i], timestamp, localTime)) {
        timestamp = openTimestamps[i];
        localTime = openLocalTimes[i];
      }
    }
  }

  private static boolean supersedes(
      long timestamp, long localTime, long otherTimestamp, long otherLocalTime) {
    return DeletionTime.isLive(otherTimestamp)
        || ConflictRules.deletionSupersedes(timestamp, localTime, otherTimestamp, otherLocalTime);
  }

  /** Returns the marker between a deletion on its left, or none, and one on its right, or none. */
  private Unfiltered marker(
      Unfiltered at, int size, long left, long leftLocal, long right, long rightLocal)
      throws IOException {
    ClusteringKind kind =
        kind(at.clustering().kind(), !DeletionTime.isLive(left), !DeletionTime.isLive(right));
    boolean ends = kind.closes();
    long deletion = ends ? left : right;
    long deletionLocal = ends ? leftLocal : rightLocal;
    if (size == 1
        && kind == at.clustering().kind()
        && deletion == at.deletionTimestamp()
        && deletionLocal == at.deletionLocalTime()
        && (!kind.isBoundary() || (right == at.openTimestamp() && rightLocal == at.openLocalTime()))
        && reconciler.isWhole(at.encoding())) {
      return at;
    }
    bound.copyFrom(at.clustering(), kind);
    EncodedUnfiltered encoded;
    try {
      encoded = encoder.marker(bound, deletion, deletionLocal, right, rightLocal, 0);
    } catch (IllegalArgumentException e) {
      throw at.corrupt(String.valueOf(e.getMessage()));
    }
    encoded.wrapWith(result);
    return result;
  }

  private static ClusteringKind kind(ClusteringKind place, boolean ends, boolean begins) {
    if (ends && begins) {
      return place.boundary();
    }
    return begins ? place.startBound() : place.endBound();
  }
}
