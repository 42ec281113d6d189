package io.siltstone.memtable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Slice;
import java.util.Arrays;

/**
 * Walks the skip-list nodes of the rows in a slice, forward or reversed, whether or not they are
 * visible to a reader.
 *
 * <p>A reversed walk reads a stretch of about sixteen nodes forward, notes them, and then returns
 * them backward. Reusable, confined to one thread.
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

  /** Begins before the first row of a slice; in reverse, after the last. */
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

  /** Returns the next row's node, or {@link Arena#NONE} after the last. */
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

  /** Returns the clustering of a row, as a view that is valid until the next call of any method. */
  Clustering clustering(int row) {
    return list.clustering(arena, row);
  }

  private boolean isBeyond(int row) {
    return reversed
        ? list.compare(arena, row, slice.start()) < 0
        : list.compare(arena, row, slice.end()) > 0;
  }

  /** Returns whether a bound includes all rows on its side. */
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

  /** Notes the rows before the last stretch, or before the slice's end. */
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
