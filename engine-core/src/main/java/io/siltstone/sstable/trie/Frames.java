package io.siltstone.sstable.trie;

import java.util.Arrays;

/**
 * A stack of nodes on the way down a branch that is walked over in depth: keys may be longer than a
 * thread's stack is deep. Confined to one thread.
 */
final class Frames {
  private int[] nodes = new int[64];
  private int[] children = new int[64];
  private long[] starts = new long[64];
  private int[] sums = new int[64];
  private int depth;

  /**
   * @param node that is entered
   * @param child of it that is visited next
   * @param start where in the file its branch begins
   */
  void push(int node, int child, long start) {
    if (depth == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * depth);
      children = Arrays.copyOf(children, 2 * depth);
      starts = Arrays.copyOf(starts, 2 * depth);
      sums = Arrays.copyOf(sums, 2 * depth);
    }
    nodes[depth] = node;
    children[depth] = child;
    starts[depth] = start;
    sums[depth] = 0;
    depth++;
  }

  void pop() {
    depth--;
  }

  boolean isEmpty() {
    return depth == 0;
  }

  void clear() {
    depth = 0;
  }

  int node() {
    return nodes[depth - 1];
  }

  int child() {
    return children[depth - 1];
  }

  void setChild(int child) {
    children[depth - 1] = child;
  }

  long start() {
    return starts[depth - 1];
  }

  /** Returns the sum of the sizes of the children that were visited. */
  int sum() {
    return sums[depth - 1];
  }

  void add(int size) {
    sums[depth - 1] += size;
  }
}
