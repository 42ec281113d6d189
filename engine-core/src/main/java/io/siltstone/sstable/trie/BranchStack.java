package io.siltstone.sstable.trie;

import java.util.Arrays;

/**
 * The complete branches of a trie whose parents are not complete, as a stack: those of the root
 * come first, and those of the node that began last are on top.
 *
 * <p>Nearly all branches are kept as the bytes that they will have in the file, which are the same
 * wherever a branch is written if its pointers all lead to its own nodes. When a node is complete,
 * its children are on top of the stack, and their bytes are the last ones. The node is put after
 * them, and one branch takes the place of them all. A branch with a pointer out of it stands as a
 * node of the {@link NodePool}. Confined to one thread.
 */
final class BranchStack {
  private static final int FIRST_CAPACITY = 64;

  private byte[] bytes = new byte[1024];
  private int length;

  // The byte that leads to a branch; its node in the pool, or NONE; and of branches without one
  // where in the bytes it begins, where its top node does, and where it ends.
  private int[] transitions = new int[FIRST_CAPACITY];
  private int[] nodes = new int[FIRST_CAPACITY];
  private int[] starts = new int[FIRST_CAPACITY];
  private long[] tops = new long[FIRST_CAPACITY];
  private int[] ends = new int[FIRST_CAPACITY];
  private int count;

  /** Returns the array, of which {@link #length()} bytes are branches. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Makes room for bytes after the branches, in an array that may be another one. */
  void ensure(int room) {
    if (room > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + room));
    }
  }

  /** Drops the bytes from an index on. */
  void truncate(int newLength) {
    length = newLength;
  }

  /** Returns the number of branches. */
  int count() {
    return count;
  }

  /** Drops the branches from one on, but not their bytes. */
  void drop(int from) {
    count = from;
  }

  /** Drops all. */
  void clear() {
    count = 0;
    length = 0;
  }

  /**
   * Pushes a branch whose last bytes have been put after the others.
   *
   * @param transition the byte that leads to it
   * @param start where it begins in the bytes
   * @param top where its top node begins
   * @param end where it ends, which is the new end of the bytes
   */
  void push(int transition, int start, int top, int end) {
    int at = next(transition, NodePool.NONE);
    starts[at] = start;
    tops[at] = top;
    ends[at] = end;
    length = end;
  }

  /** Pushes a branch that stands as a node. */
  void pushNode(int transition, int node) {
    next(transition, node);
  }

  private int next(int transition, int node) {
    if (count == nodes.length) {
      transitions = Arrays.copyOf(transitions, 2 * count);
      nodes = Arrays.copyOf(nodes, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      tops = Arrays.copyOf(tops, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    transitions[count] = transition;
    nodes[count] = node;
    return count++;
  }

  /** Returns the bytes that lead to branches, by their places in the stack. */
  int[] transitions() {
    return transitions;
  }

  /** Returns where the top nodes of branches without a node in the pool begin. */
  long[] tops() {
    return tops;
  }

  /** Returns the span of the bytes that lead to the branches from one on, both ends included. */
  int spanFrom(int from) {
    return transitions[count - 1] - transitions[from] + 1;
  }

  /** Returns the node of a branch, which is a new one if the branch is kept as bytes. */
  int nodeOf(int at, NodePool pool) {
    if (nodes[at] != NodePool.NONE) {
      return nodes[at];
    }
    int node = pool.allocate(transitions[at]);
    int top = (int) tops[at];
    pool.setBranchAt(node, starts[at]);
    pool.setBranchSize(node, top - starts[at]);
    pool.setNodeSize(node, ends[at] - top);
    pool.setFar(node, false, false);
    return node;
  }

  /** Returns the number of bytes for which memory is held, for tests. */
  int capacity() {
    return bytes.length + nodes.length;
  }
}
