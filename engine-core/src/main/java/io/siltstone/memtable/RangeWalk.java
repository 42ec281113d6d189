package io.siltstone.memtable;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import java.util.Arrays;

/**
 * A walk over several {@link RangeRuns} as if they were one: over the places where another range
 * tombstone comes to be the strongest. Those that the partition's deletion covers count as none.
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
  // What is the strongest where the cursors stand.
  private long strongestTimestamp;
  private long strongestLocalTime;

  RangeWalk(RowEncoding encoding, Arena arena) {
    this.encoding = encoding;
    this.arena = arena;
    this.comparator = new ClusteringComparator(encoding.header().clusteringTypes());
    this.slice = Slice.all(encoding);
  }

  /** Whose beginning ends steps, from now on. */
  void cancelOn(CancelSignal of) {
    cancelSignal = of;
  }

  /**
   * Turns to a partition.
   *
   * @param newest of its runs, NONE without
   * @param howMany runs from the newest on
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

  /** Begins at a slice's start, or in reverse at its end, and goes on to its other bound. */
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

  /** Whether another change comes before the end of the walk. */
  boolean isPending() {
    return pending;
  }

  /** Where the next change is: a bound of any kind at that place. */
  Clustering place() {
    return place;
  }

  /** Timestamp of the strongest range where the walk is, NO_TIMESTAMP without. */
  long openTimestamp() {
    return openTimestamp;
  }

  long openLocalTime() {
    return openLocalTime;
  }

  /** Timestamp of the strongest range behind the next change, NO_TIMESTAMP without. */
  long nextTimestamp() {
    return nextTimestamp;
  }

  long nextLocalTime() {
    return nextLocalTime;
  }

  /** Passes the next change. */
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
