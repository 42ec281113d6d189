package io.siltstone.kafka.streams.store;

import io.siltstone.kafka.streams.table.StateCursor;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The segments of time in which a versioned store has histories, so that a read looks only at
 * these, however short segments are. They are found with one seek each when the store is opened. A
 * segment whose histories were all deleted may still be one of them.
 *
 * <p>Changed by the thread of the task, read by all threads.
 */
final class HistorySegments {
  /** Stands for no segment before another one. */
  static final long NONE = -1;

  private final ConcurrentSkipListSet<Long> segments = new ConcurrentSkipListSet<>();
  // Most versions are in the segment of the version before.
  private long lastAdded = NONE;

  /** Finds the segments of a store. */
  static HistorySegments of(OpenStore store) {
    HistorySegments found = new HistorySegments();
    byte[] afterHistories = VersionedTable.latestKey(new byte[0]);
    long next = 0;
    while (true) {
      StateCursor cursor =
          store.cursor(VersionedTable.firstKey(next), afterHistories, false, true, false);
      try {
        if (!store.next(cursor)) {
          return found;
        }
        long segment = VersionedTable.segmentOf(cursor.key());
        found.segments.add(segment);
        next = segment + 1;
      } finally {
        store.close(cursor);
      }
    }
  }

  /** Adds a segment that has a history now. */
  void add(long segment) {
    if (segment != lastAdded) {
      lastAdded = segment;
      segments.add(segment);
    }
  }

  /** Removes all segments before one, whose histories were deleted. */
  void removeBefore(long segment) {
    segments.headSet(segment).clear();
    lastAdded = NONE;
  }

  /** Returns whether there is a segment before one. */
  boolean hasBefore(long segment) {
    return segments.lower(segment) != null;
  }

  /** Returns the last segment; {@link #NONE} if there is none. */
  long last() {
    return before(Long.MAX_VALUE);
  }

  /** Returns the last segment before one; {@link #NONE} if there is none. */
  long before(long segment) {
    Long found = segments.lower(segment);
    return found == null ? NONE : found;
  }
}
