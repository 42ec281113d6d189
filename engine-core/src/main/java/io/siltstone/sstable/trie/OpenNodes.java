package io.siltstone.sstable.trie;

import java.util.Arrays;

/**
 * The nodes on the way from the root to the last key of a trie that is being written, by their
 * depths: the payload of each, and where its branches begin in the {@link BranchStack}. Confined to
 * one thread.
 */
final class OpenNodes {
  private final int maxPayload;
  private int[] firstBranch = new int[64];
  private int[] start = new int[64];
  private boolean[] far = new boolean[64];
  private byte[] bits = new byte[64];
  private byte[] lengths = new byte[64];
  private byte[] payloads;
  private int depth;

  /**
   * @param maxPayload length of the longest payload in bytes
   */
  OpenNodes(int maxPayload) {
    this.maxPayload = maxPayload;
    this.payloads = new byte[64 * maxPayload];
  }

  /** Returns the number of nodes. */
  int depth() {
    return depth;
  }

  void clear() {
    depth = 0;
  }

  /** Makes room for a number of nodes. */
  void ensure(int nodes) {
    if (nodes > start.length) {
      int capacity = Math.max(nodes, 2 * start.length);
      firstBranch = Arrays.copyOf(firstBranch, capacity);
      start = Arrays.copyOf(start, capacity);
      far = Arrays.copyOf(far, capacity);
      bits = Arrays.copyOf(bits, capacity);
      lengths = Arrays.copyOf(lengths, capacity);
      payloads = Arrays.copyOf(payloads, Math.multiplyExact(capacity, maxPayload));
    }
  }

  /** Adds a node without payload and branches, for which there is room. */
  void push(BranchStack branches) {
    firstBranch[depth] = branches.count();
    start[depth] = branches.length();
    far[depth] = false;
    bits[depth] = 0;
    lengths[depth] = 0;
    depth++;
  }

  /** Removes the last node, whose values can be read until the next one is added. */
  int pop() {
    return --depth;
  }

  /** Sets the payload of the last node. */
  void setPayload(int payloadBits, byte[] from, int length) {
    bits[depth - 1] = (byte) payloadBits;
    lengths[depth - 1] = (byte) length;
    System.arraycopy(from, 0, payloads, (depth - 1) * maxPayload, length);
  }

  int payloadBits(int at) {
    return bits[at];
  }

  int payloadLength(int at) {
    return lengths[at];
  }

  void copyPayload(int at, byte[] to, int index) {
    System.arraycopy(payloads, at * maxPayload, to, index, lengths[at]);
  }

  /** Copies the payload to a node of the pool. */
  void copyPayload(int at, NodePool pool, int node) {
    pool.setPayload(node, bits[at], payloads, at * maxPayload, lengths[at]);
  }

  /** Returns the place in the stack of the node's first branch. */
  int firstBranch(int at) {
    return firstBranch[at];
  }

  /** Returns where in the bytes of the stack its branches begin. */
  int start(int at) {
    return start[at];
  }

  /** Returns whether one of its branches stands as a node of the pool. */
  boolean hasFar(int at) {
    return far[at];
  }

  /** Records that one of the last node's branches does. */
  void setFar() {
    if (depth > 0) {
      far[depth - 1] = true;
    }
  }
}
