package io.siltstone.memtable;

import io.siltstone.cursor.Clustering;

/**
 * The range tombstones of a partition in an arena: a list of runs, newest first, each sorted, of
 * ranges that do not overlap.
 *
 * <pre>
 *   run     next      int   the run that was there before, NONE after the last
 *           count     int   of ranges
 *           offset    int × (count + 1)   where a range begins in the run, and where the last one ends
 *           range × count
 *   range   timestamp             long
 *           local deletion time   long
 *           start length          int
 *           start, end            prefixes as {@link Clustering#writePrefix} writes them: bounds
 * </pre>
 *
 * An update adds a run. When the {@link #FAN_IN} newest runs are of one size or below, they are
 * merged into one, as in size-tiered compaction. A partition therefore has few runs (at most about
 * 7 per factor of 8 in the number of ranges), and a range is copied once per such factor.
 */
final class RangeRuns {
  /** The number of runs that are merged into one. */
  static final int FAN_IN = 8;

  // One more than the ranges, for the end of the last one.
  private static final int HEADER_BYTES = 12;

  private static final int TIMESTAMP = 0;
  private static final int LOCAL_TIME = 8;
  private static final int START_LENGTH = 16;
  private static final int RANGE_BYTES = 20;
  private static final int NEXT = 0;
  private static final int COUNT = 4;
  private static final int OFFSETS = 8;

  private RangeRuns() {}

  /** Returns the size in bytes of a run, by the number of ranges and the size of their bounds. */
  static long space(long ranges, long boundBytes) {
    return Arena.padded(HEADER_BYTES + (long) (RANGE_BYTES + Integer.BYTES) * ranges + boundBytes);
  }

  static int next(Arena arena, int run) {
    return arena.getInt(run, NEXT);
  }

  static int count(Arena arena, int run) {
    return arena.getInt(run, COUNT);
  }

  static int offset(Arena arena, int run, int range) {
    return arena.getInt(run, OFFSETS + Integer.BYTES * range);
  }

  static int startOffset(int rangeOffset) {
    return rangeOffset + RANGE_BYTES;
  }

  /** Returns the size class of a run: how often the fan-in goes into its number of ranges. */
  static int level(Arena arena, int run) {
    return (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, count(arena, run))))
        / Integer.numberOfTrailingZeros(FAN_IN);
  }

  static long timestamp(Arena arena, int run, int rangeOffset) {
    return arena.getLong(run, rangeOffset + TIMESTAMP);
  }

  static long localTime(Arena arena, int run, int rangeOffset) {
    return arena.getLong(run, rangeOffset + LOCAL_TIME);
  }

  static int startLength(Arena arena, int run, int rangeOffset) {
    return arena.getInt(run, rangeOffset + START_LENGTH);
  }

  /** Writes a run, range by range, that no reader sees yet. Reusable. */
  static final class Writer {
    private final Clustering bound = new Clustering();
    private final Arena arena;
    private byte[] bytes = new byte[64];
    private int run;
    private int index;
    private int offset;

    Writer(Arena arena) {
      this.arena = arena;
    }

    /** Begins a run of exactly {@code count} ranges in a piece of its {@link RangeRuns#space}. */
    void begin(int piece, int count, int next) {
      run = piece;
      index = 0;
      offset = HEADER_BYTES + Integer.BYTES * count;
      arena.putInt(run, NEXT, next);
      arena.putInt(run, COUNT, count);
      arena.putInt(run, OFFSETS, offset);
    }

    /** Begins a range; at a boundary, the range that begins there. */
    void start(Clustering at, long timestamp, long localTime) {
      bound.copyFrom(at, at.kind().startBound());
      arena.putLong(run, offset + TIMESTAMP, timestamp);
      arena.putLong(run, offset + LOCAL_TIME, localTime);
      arena.putInt(run, offset + START_LENGTH, bound.prefixLength());
      offset += RANGE_BYTES;
      writeBound();
    }

    /** Ends a range; at a boundary, the range that ends there. */
    void end(Clustering at) {
      bound.copyFrom(at, at.kind().endBound());
      writeBound();
      index++;
      arena.putInt(run, OFFSETS + Integer.BYTES * index, offset);
    }

    private void writeBound() {
      int length = bound.prefixLength();
      bytes = Scratch.atLeast(bytes, length);
      bound.writePrefix(bytes, 0);
      arena.write(run, offset, bytes, 0, length);
      offset += length;
    }
  }
}
