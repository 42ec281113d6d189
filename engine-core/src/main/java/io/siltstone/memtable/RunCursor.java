package io.siltstone.memtable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.RowEncoding;

/**
 * Walks the bounds of the ranges of one run, forward or reversed. Reusable, confined to one thread.
 */
final class RunCursor {
  private final RowEncoding encoding;
  private final Clustering bound = new Clustering();
  private byte[] bytes = new byte[64];

  private Arena arena;
  private int run;
  private boolean reversed;
  private int range;
  private boolean pending;
  private boolean inside;

  RunCursor(RowEncoding encoding, Arena arena) {
    this.encoding = encoding;
    this.arena = arena;
  }

  /**
   * Moves to the ranges that end after a bound; in reverse, to those that begin before it.
   *
   * @param from start of the walk, after bounds at the same place
   */
  void begin(
      Arena of, int ofRun, Clustering from, boolean inReverse, ClusteringComparator comparator) {
    arena = of;
    run = ofRun;
    reversed = inReverse;
    int low = 0;
    int high = RangeRuns.count(arena, run);
    // The first range that ends after the bound; in reverse, the first that does not begin before
    // it.
    while (low < high) {
      int middle = (low + high) >>> 1;
      wrap(middle, reversed);
      int order = comparator.compare(bound, from);
      if (reversed ? order >= 0 : order > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    range = reversed ? low - 1 : low;
    pending = isRange();
    inside = false;
    if (pending) {
      wrap(range, !reversed);
      int order = comparator.compare(bound, from);
      inside = reversed ? order >= 0 : order <= 0;
      if (inside) {
        wrap(range, reversed);
      }
    }
  }

  private boolean isRange() {
    return range >= 0 && range < RangeRuns.count(arena, run);
  }

  private void wrap(int index, boolean start) {
    int offset = RangeRuns.offset(arena, run, index);
    int startLength = RangeRuns.startLength(arena, run, offset);
    int from = RangeRuns.startOffset(offset);
    int length = startLength;
    if (!start) {
      from += startLength;
      length = RangeRuns.offset(arena, run, index + 1) - from;
    }
    bytes = Scratch.atLeast(bytes, length);
    arena.read(run, from, bytes, 0, length);
    bound.wrapPrefix(encoding, bytes, 0, length);
  }

  /** Returns whether there is another bound. */
  boolean isPending() {
    return pending;
  }

  /** Returns the next bound, in the direction of the walk. */
  Clustering bound() {
    return bound;
  }

  /** Returns whether the walk is within a range. */
  boolean isInside() {
    return inside;
  }

  /** Returns the timestamp of the range that the walk is within. */
  long timestamp() {
    return RangeRuns.timestamp(arena, run, RangeRuns.offset(arena, run, range));
  }

  /** Returns the local deletion time of the range that the walk is within. */
  long localTime() {
    return RangeRuns.localTime(arena, run, RangeRuns.offset(arena, run, range));
  }

  /** Moves past the next bound. */
  void pass() {
    if (inside) {
      inside = false;
      range += reversed ? -1 : 1;
      pending = isRange();
      if (pending) {
        wrap(range, !reversed);
      }
    } else {
      inside = true;
      wrap(range, reversed);
    }
  }
}
