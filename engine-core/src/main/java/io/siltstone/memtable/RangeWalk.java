package io.siltstone.memtable;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import java.util.Arrays;

/**
 * Merges several {@link RangeRuns} of a partition: walks over the places where the winning range
 * tombstone changes. Tombstones that the partition's deletion covers are ignored.
 *
 * <p>Reusable; allocates nothing once it has had as many runs. Confined to one thread.
 */
final class RangeWalk {
  private final RowEncoding encoding;
  private final ClusteringComparator comparator;
  private RunCursor[] cursors = {};
  private int count;
  private Arena arena;
  private int newestRun;
  private int runs;
  private long partitionTimestamp;
  private long partitionLocalTime;

  private CancelSignal cancelSignal = CancelSignal.NEVER;
  private boolean reversed;
  private Slice slice;
  private boolean pending;
  private final Clustering place = new Clustering();
  private long openTimestamp;
  private long openLocalTime;
  private long nextTimestamp;
  private long nextLocalTime;
  // The winning tombstone at the present place.
  private long strongestTimestamp;
  private long strongestLocalTime;

  RangeWalk(RowEncoding encoding, Arena arena) {
    this.encoding = encoding;
    this.arena = arena;
    this.comparator = new ClusteringComparator(encoding.header().clusteringTypes());
    this.slice = Slice.all(encoding);
  }

  /** Sets the signal that cancels steps. */
  void cancelOn(CancelSignal of) {
    cancelSignal = of;
  }

  /**
   * Moves to a partition.
   *
   * @param newest of its runs, NONE without
   * @param howMany number of runs, from the newest on
   * @param timestamp of the partition's deletion
   */
  void open(Arena of, int newest, int howMany, long timestamp, long localTime) {
    arena = of;
    newestRun = newest;
    runs = howMany;
    partitionTimestamp = timestamp;
    partitionLocalTime = localTime;
    pending = false;
    openTimestamp = DeletionTime.NO_TIMESTAMP;
    openLocalTime = DeletionTime.NO_DELETION_TIME;
  }

  /** Begins a walk from a slice's start to its end, or in reverse. */
  void begin(Slice of, boolean inReverse) {
    slice = of;
    reversed = inReverse;
    count = 0;
    int run = newestRun;
    Clustering from = reversed ? slice.end() : slice.start();
    while (run != Arena.NONE && count < runs) {
      if (count == cursors.length) {
        cursors = Arrays.copyOf(cursors, Math.max(FIRST_CURSORS, 2 * count));
      }
      RunCursor cursor = cursors[count];
      if (cursor == null) {
        cursor = new RunCursor(encoding, arena);
        cursors[count] = cursor;
      }
      cursor.begin(arena, run, from, reversed, comparator);
      count++;
      run = RangeRuns.next(arena, run);
    }
    findStrongest();
    openTimestamp = strongestTimestamp;
    openLocalTime = strongestLocalTime;
    findNext();
  }

  private static final int FIRST_CURSORS = 8;

  /** Returns whether another change comes before the end of the walk. */
  boolean isPending() {
    return pending;
  }

  /** Returns the place of the next change, as a bound of any kind. */
  Clustering place() {
    return place;
  }

  /** Returns the timestamp of the strongest range where the walk is, NO_TIMESTAMP without. */
  long openTimestamp() {
    return openTimestamp;
  }

  long openLocalTime() {
    return openLocalTime;
  }

  /** Returns the timestamp of the strongest range after the next change, NO_TIMESTAMP without. */
  long nextTimestamp() {
    return nextTimestamp;
  }

  long nextLocalTime() {
    return nextLocalTime;
  }

  /** Moves past the next change. */
  void pass() {
    openTimestamp = nextTimestamp;
    openLocalTime = nextLocalTime;
    findNext();
  }

  private void findNext() {
    while (true) {
      cancelSignal.throwIfCancelled();
      RunCursor nearest = null;
      for (int i = 0; i < count; i++) {
        RunCursor cursor = cursors[i];
        if (cursor.isPending() && (nearest == null || order(cursor.bound(), nearest.bound()) < 0)) {
          nearest = cursor;
        }
      }
      pending =
          nearest != null && order(nearest.bound(), reversed ? slice.start() : slice.end()) < 0;
      if (nearest == null || !pending) {
        return;
      }
      place.copyFrom(nearest.bound());
      for (int i = 0; i < count; i++) {
        while (cursors[i].isPending() && comparator.compare(cursors[i].bound(), place) == 0) {
          cursors[i].pass();
        }
      }
      findStrongest();
      if (strongestTimestamp != openTimestamp || strongestLocalTime != openLocalTime) {
        nextTimestamp = strongestTimestamp;
        nextLocalTime = strongestLocalTime;
        return;
      }
    }
  }

  private int order(Clustering left, Clustering right) {
    return reversed ? comparator.compare(right, left) : comparator.compare(left, right);
  }

  private void findStrongest() {
    long timestamp = DeletionTime.NO_TIMESTAMP;
    long localTime = DeletionTime.NO_DELETION_TIME;
    for (int i = 0; i < count; i++) {
      if (cursors[i].isInside()) {
        long otherTimestamp = cursors[i].timestamp();
        long otherLocalTime = cursors[i].localTime();
        if (PartitionState.supersedes(otherTimestamp, otherLocalTime, timestamp, localTime)) {
          timestamp = otherTimestamp;
          localTime = otherLocalTime;
        }
      }
    }
    boolean counts =
        PartitionState.supersedes(timestamp, localTime, partitionTimestamp, partitionLocalTime);
    strongestTimestamp = counts ? timestamp : DeletionTime.NO_TIMESTAMP;
    strongestLocalTime = counts ? localTime : DeletionTime.NO_DELETION_TIME;
  }
}
