package io.siltstone.cursor;

import java.util.Arrays;

/**
 * A tournament among moving sources: tells which of them stands at the least element, and which
 * others stand at an equal one.
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

  /** Order of what two sources stand at; a source that is at its end stands behind all others. */
  abstract int compare(int left, int right);

  /** Begins with sources that all stand somewhere. */
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

  /** The source at the least element; -1 without sources. */
  final int winner() {
    return winner;
  }

  /** The winner has moved on: finds the next. */
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
   * <p>To move all of them on, move the winner and {@link #replay()} as many times: until then each
   * of them wins in turn, if what they move to stands behind those that have not moved.
   *
   * @param into has room for all sources
   * @return how many they are
   */
  final int collectEqual(int[] into) {
    return collect(winner, 0, into, 0);
  }

  /** An equal of a source lost to it directly, in a draw, or to another equal. */
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
