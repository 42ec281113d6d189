package io.siltstone.memtable;

import io.siltstone.cursor.DeletionTime;

/**
 * The deletions of a partition in an arena, newest version first.
 *
 * <pre>
 *   state   sequence              int    number of the update that made it
 *           previous              int    the state before it, for readers of older sequence numbers
 *           timestamp             long   of the partition's deletion, and
 *           local deletion time   long   as {@link DeletionTime} has them
 *           runs                  int    newest of the {@link RangeRuns}, NONE without
 * </pre>
 */
final class PartitionState {
  static final int BYTES = 28;

  private static final int SEQUENCE = 0;
  private static final int PREVIOUS = 4;
  private static final int TIMESTAMP = 8;
  private static final int LOCAL_TIME = 16;
  private static final int RUNS = 24;

  private PartitionState() {}

  /** Returns the newest state that readers of that sequence number see, or NONE. */
  static int visible(Arena arena, int newest, int sequence) {
    int state = newest;
    while (state != Arena.NONE
        && Integer.compareUnsigned(arena.getInt(state, SEQUENCE), sequence) > 0) {
      state = arena.getInt(state, PREVIOUS);
    }
    return state;
  }

  static long timestamp(Arena arena, int state) {
    return state == Arena.NONE ? DeletionTime.NO_TIMESTAMP : arena.getLong(state, TIMESTAMP);
  }

  static long localTime(Arena arena, int state) {
    return state == Arena.NONE ? DeletionTime.NO_DELETION_TIME : arena.getLong(state, LOCAL_TIME);
  }

  static int runs(Arena arena, int state) {
    return state == Arena.NONE ? Arena.NONE : arena.getInt(state, RUNS);
  }

  /** Writes a state to the piece at {@code state}, which no reader sees yet. */
  static void write(
      Arena arena,
      int state,
      int sequence,
      int previous,
      long timestamp,
      long localTime,
      int runs) {
    arena.putInt(state, SEQUENCE, sequence);
    arena.putInt(state, PREVIOUS, previous);
    arena.putLong(state, TIMESTAMP, timestamp);
    arena.putLong(state, LOCAL_TIME, localTime);
    arena.putInt(state, RUNS, runs);
  }

  /** Returns whether a deletion supersedes another: by timestamp, then by local deletion time. */
  static boolean supersedes(
      long timestamp, long localTime, long otherTimestamp, long otherLocalTime) {
    return timestamp > otherTimestamp
        || (timestamp == otherTimestamp
            && localTime > otherLocalTime
            && !DeletionTime.isLive(timestamp));
  }
}
