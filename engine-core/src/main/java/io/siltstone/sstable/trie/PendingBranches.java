package io.siltstone.sstable.trie;

import java.util.Arrays;

/**
 * Branches of a trie that are to be written, in the order of their sizes, and branches of equal
 * size in the order of their keys. Confined to one thread.
 */
final class PendingBranches {
  private final int[] nodes;
  // Sizes in the upper halves, and indexes of the nodes in the lower ones.
  private final long[] sorted;
  private int added;
  private int count;

  /**
   * @param most the maximum number of branches
   */
  PendingBranches(int most) {
    this.nodes = new int[most];
    this.sorted = new long[most];
  }

  /** Adds a branch, after those of lesser keys; {@link #sort} must follow. */
  void add(int node, int size) {
    nodes[added] = node;
    sorted[added] = entry(size, added);
    added++;
    count++;
  }

  private static long entry(int size, int index) {
    return (long) size << Integer.SIZE | index;
  }

  void sort() {
    Arrays.sort(sorted, 0, count);
  }

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Returns the place of the greatest branch of at most a given size, of equal ones the last; -1 if
   * all are greater.
   */
  int greatest(int atMost) {
    int at = count - 1;
    while (at >= 0 && sorted[at] >>> Integer.SIZE > atMost) {
      at--;
    }
    return at;
  }

  /** Returns the top node of the branch at a place. */
  int node(int at) {
    return nodes[(int) sorted[at]];
  }

  /** Changes the size of the branch at a place. */
  void setSize(int at, int size) {
    sorted[at] = entry(size, (int) sorted[at]);
    sort();
  }

  void remove(int at) {
    count--;
    System.arraycopy(sorted, at + 1, sorted, at, count - at);
  }
}
