package io.siltstone.memtable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import java.util.Arrays;

/**
 * A walk over the rows of a partition that lie in a slice, in one of the two directions, whether or
 * not a reader may see them.
 *
 * <p>In reverse, a stretch of the list is walked forward to note its rows, about sixteen, then
 * backward. Reusable, confined to one thread.
 */
final class RowPlaces {
  /** Stretches begin with nodes that have more levels than this. */
  private static final int STRETCH_LEVEL = 2;

  private final RowList list;
  private final Clustering end = new Clustering();
  private Arena arena;
  private int head;
  private Slice slice;
  private boolean reversed;

  private int node;
  private int[] stretch = new int[64];
  private int stretchLeft;
  private int stretchEnd;
  private boolean atBeginning;

  RowPlaces(RowEncoding encoding, Arena arena) {
    this.list = new RowList(encoding);
    this.slice = Slice.all(encoding);
    this.arena = arena;
  }

  /** Begins before the first row of a slice, or in reverse behind the last. */
  void begin(Arena of, int listHead, Slice within, boolean inReverse) {
    arena = of;
    head = listHead;
    slice = within;
    reversed = inReverse;
    stretchLeft = 0;
    stretchEnd = Arena.NONE;
    node = Arena.NONE;
    atBeginning = true;
  }

  /** The next row's node, or {@link Arena#NONE} behind the last. */
  int next() {
    if (head == Arena.NONE) {
      return Arena.NONE;
    }
    int next = reversed ? nextBackward() : nextForward();
    if (next == Arena.NONE
        || (!isUnbounded(reversed ? slice.start() : slice.end()) && isBeyond(next))) {
      head = Arena.NONE;
      return Arena.NONE;
    }
    return next;
  }

  /** Where a row lies: a view that is valid until the next call of any method. */
  Clustering clustering(int row) {
    return list.clustering(arena, row);
  }

  private boolean isBeyond(int row) {
    return reversed
        ? list.compare(arena, row, slice.start()) < 0
        : list.compare(arena, row, slice.end()) > 0;
  }

  /** Whether a bound includes all rows on its side. */
  private static boolean isUnbounded(Clustering bound) {
    return bound.size() == 0 && bound.kind().opens() == (bound.kind().comparedToClustering() < 0);
  }

  private int nextForward() {
    if (atBeginning) {
      atBeginning = false;
      node =
          isUnbounded(slice.start())
              ? list.first(arena, head)
              : list.firstBehind(arena, head, slice.start());
    } else {
      node = list.following(arena, node);
    }
    return node;
  }

  private int nextBackward() {
    if (stretchLeft == 0) {
      noteStretch();
      if (stretchLeft == 0) {
        return Arena.NONE;
      }
    }
    return stretch[--stretchLeft];
  }

  /** Notes the rows before the stretch that was walked last, or before the slice's end. */
  private void noteStretch() {
    if (stretchEnd == head) {
      return;
    }
    end.copyFrom(atBeginning ? slice.end() : list.clustering(arena, stretchEnd));
    int from = list.lastBefore(arena, head, end, STRETCH_LEVEL);
    int row = from == head ? list.first(arena, head) : from;
    while (row != Arena.NONE
        && (atBeginning ? list.compare(arena, row, slice.end()) < 0 : row != stretchEnd)) {
      if (stretchLeft == stretch.length) {
        stretch = Arrays.copyOf(stretch, 2 * stretchLeft);
      }
      stretch[stretchLeft++] = row;
      row = list.following(arena, row);
    }
    atBeginning = false;
    stretchEnd = from;
  }
}
