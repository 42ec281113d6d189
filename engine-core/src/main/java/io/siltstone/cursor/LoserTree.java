package io.siltstone.cursor;

import java.util.Arrays;

/**
 * A tournament tree of losers, for k-way merges: finds the source with the least element, and the
 * other sources with an equal one.
 *
 * <p>Sources are numbered from 0. A source that moves on costs one comparison per level of the
 * tree, that is one with two sources, and five with thirty-two. Nothing is allocated once the
 * arrays have grown. Source: Knuth, The Art of Computer Programming, volume 3, 5.4.1.
 */
abstract class LoserTree {
  private static final int ROOT = 1;

  // Source i sits at leaf count + i; node n has the children 2n and 2n + 1.
  private int count;
  private int winner;
  private int[] losers = new int[4];
  private boolean[] draws = new boolean[4];

  /**
   * Compares the elements of two sources; a source that is at its end is greater than all others.
   */
  abstract int compare(int left, int right);

  /** Begins with the first elements of all sources. */
  final void begin(int sources) {
    count = sources;
    if (losers.length < sources) {
      losers = new int[sources];
      draws = new boolean[sources];
    }
    winner = sources == 0 ? -1 : play(ROOT);
  }

  private int play(int node) {
    if (node >= count) {
      return node - count;
    }
    int left = play(2 * node);
    int right = play(2 * node + 1);
    int order = compare(left, right);
    draws[node] = order == 0;
    losers[node] = order <= 0 ? right : left;
    return order <= 0 ? left : right;
  }

  /** Returns the source at the least element; -1 without sources. */
  final int winner() {
    return winner;
  }

  /** Finds the next winner after the present one has moved on. */
  final void replay() {
    int best = winner;
    for (int node = (best + count) >> 1; node > 0; node >>= 1) {
      int other = losers[node];
      int order = compare(other, best);
      draws[node] = order == 0;
      if (order < 0) {
        losers[node] = best;
        best = other;
      }
    }
    winner = best;
  }

  /**
   * Collects the sources that stand at an element equal to the winner's, the winner first.
   *
   * <p>To move all of them on, move the winner and call {@link #replay()}, as many times as there
   * are. Each of them wins in turn, if the elements they move to are greater than those of the
   * sources that have not moved.
   *
   * @param into has room for all sources
   * @return number of these sources
   */
  final int collectEqual(int[] into) {
    return collect(winner, 0, into, 0);
  }

  /** Collects the sources that drew with this one, directly or through another one that drew. */
  private int collect(int source, int lostAt, int[] into, int from) {
    int size = from;
    into[size++] = source;
    for (int node = (source + count) >> 1; node != lostAt; node >>= 1) {
      if (draws[node]) {
        size = collect(losers[node], node, into, size);
      }
    }
    return size;
  }

  @Override
  public final String toString() {
    return "winner " + winner + ", losers " + Arrays.toString(Arrays.copyOf(losers, count));
  }
}
