package io.siltstone.sstable.trie;

import java.util.Arrays;

/**
 * The nodes of a trie that have not been written yet and have children that have, or are above such
 * nodes. They have numbers, and lie in arrays that are reused: objects would take several times the
 * memory, and be garbage after each page.
 *
 * <p>A node has its byte, its children in ascending order, its payload, its position once it is
 * written, and the sizes that {@link TrieWriter} computes. A node that stands for a branch in the
 * {@link BranchStack} has no children here. Confined to one thread.
 */
final class NodePool {
  /** Stands for no node. */
  static final int NONE = -1;

  /** The position of a node that has not been written. */
  static final long UNWRITTEN = -1;

  private static final int FIRST_CAPACITY = 256;

  private final int maxPayload;
  private int[] firstChild = new int[FIRST_CAPACITY];
  private int[] lastChild = new int[FIRST_CAPACITY];
  // The next sibling of a node; the next free node of a free one.
  private int[] next = new int[FIRST_CAPACITY];
  private short[] childCount = new short[FIRST_CAPACITY];
  private short[] transition = new short[FIRST_CAPACITY];
  private long[] position = new long[FIRST_CAPACITY];
  private int[] branchAt = new int[FIRST_CAPACITY];
  private int[] branchSize = new int[FIRST_CAPACITY];
  private short[] nodeSize = new short[FIRST_CAPACITY];
  private byte[] flags = new byte[FIRST_CAPACITY];
  private byte[] payloadBits = new byte[FIRST_CAPACITY];
  private byte[] payloadLength = new byte[FIRST_CAPACITY];
  private byte[] payload;

  private int used;
  private int free = NONE;

  private static final int FAR_CHILD = 1;
  private static final int FAR_BRANCH = 2;

  /**
   * @param maxPayload length of the longest payload in bytes
   */
  NodePool(int maxPayload) {
    this.maxPayload = maxPayload;
    this.payload = new byte[FIRST_CAPACITY * maxPayload];
  }

  /** Frees all nodes. */
  void clear() {
    used = 0;
    free = NONE;
  }

  /** Returns the number of nodes for which there is memory, for tests. */
  int capacity() {
    return next.length;
  }

  /** Returns a new node without children and payload. */
  int allocate(int byteToNode) {
    int node = free;
    if (node != NONE) {
      free = next[node];
    } else {
      node = used++;
      if (node == next.length) {
        grow();
      }
    }
    firstChild[node] = NONE;
    lastChild[node] = NONE;
    next[node] = NONE;
    childCount[node] = 0;
    transition[node] = (short) byteToNode;
    position[node] = UNWRITTEN;
    branchAt[node] = NONE;
    branchSize[node] = 0;
    nodeSize[node] = 0;
    // Until the sizes are known, children are assumed to be far.
    flags[node] = FAR_CHILD;
    payloadBits[node] = 0;
    payloadLength[node] = 0;
    return node;
  }

  private void grow() {
    int capacity = 2 * next.length;
    firstChild = Arrays.copyOf(firstChild, capacity);
    lastChild = Arrays.copyOf(lastChild, capacity);
    next = Arrays.copyOf(next, capacity);
    childCount = Arrays.copyOf(childCount, capacity);
    transition = Arrays.copyOf(transition, capacity);
    position = Arrays.copyOf(position, capacity);
    branchAt = Arrays.copyOf(branchAt, capacity);
    branchSize = Arrays.copyOf(branchSize, capacity);
    nodeSize = Arrays.copyOf(nodeSize, capacity);
    flags = Arrays.copyOf(flags, capacity);
    payloadBits = Arrays.copyOf(payloadBits, capacity);
    payloadLength = Arrays.copyOf(payloadLength, capacity);
    payload = Arrays.copyOf(payload, Math.multiplyExact(capacity, maxPayload));
  }

  /** Appends a child, whose byte is greater than those of the others. */
  void addChild(int node, int child) {
    if (firstChild[node] == NONE) {
      firstChild[node] = child;
    } else {
      next[lastChild[node]] = child;
    }
    lastChild[node] = child;
    childCount[node]++;
  }

  /** Frees the children of a node, which have none of their own here any more. */
  void freeChildren(int node) {
    int first = firstChild[node];
    if (first != NONE) {
      next[lastChild[node]] = free;
      free = first;
      firstChild[node] = NONE;
      lastChild[node] = NONE;
      childCount[node] = 0;
    }
  }

  void setPayload(int node, int bits, byte[] from, int index, int length) {
    payloadBits[node] = (byte) bits;
    payloadLength[node] = (byte) length;
    System.arraycopy(from, index, payload, node * maxPayload, length);
  }

  int payloadBits(int node) {
    return payloadBits[node];
  }

  int payloadLength(int node) {
    return payloadLength[node];
  }

  void copyPayload(int node, byte[] to, int at) {
    System.arraycopy(payload, node * maxPayload, to, at, payloadLength[node]);
  }

  int firstChild(int node) {
    return firstChild[node];
  }

  int lastChild(int node) {
    return lastChild[node];
  }

  /** Returns the next child of the same parent. */
  int next(int node) {
    return next[node];
  }

  int childCount(int node) {
    return childCount[node];
  }

  /** Returns the byte that leads to the node. */
  int transition(int node) {
    return transition[node];
  }

  long position(int node) {
    return position[node];
  }

  void setPosition(int node, long value) {
    position[node] = value;
  }

  /**
   * Returns where in the {@link BranchStack} its branch begins; {@link #NONE} if it is not there.
   */
  int branchAt(int node) {
    return branchAt[node];
  }

  void setBranchAt(int node, int index) {
    branchAt[node] = index;
  }

  /** Returns the bytes of what is below the node and has not been written. */
  int branchSize(int node) {
    return branchSize[node];
  }

  void setBranchSize(int node, int bytes) {
    branchSize[node] = bytes;
  }

  /** Returns the bytes of the node with its payload. */
  int nodeSize(int node) {
    return nodeSize[node];
  }

  void setNodeSize(int node, int bytes) {
    nodeSize[node] = (short) bytes;
  }

  /** Returns the bytes of the node and what is below it. */
  int totalSize(int node) {
    return branchSize[node] + nodeSize[node];
  }

  /** Returns whether children have been written before, so that pointers to them may be long. */
  boolean hasFarChild(int node) {
    return (flags[node] & FAR_CHILD) != 0;
  }

  /** Returns whether that is so of a node below the node. */
  boolean hasFarBranch(int node) {
    return (flags[node] & FAR_BRANCH) != 0;
  }

  void setFar(int node, boolean child, boolean branch) {
    flags[node] = (byte) ((child ? FAR_CHILD : 0) | (branch ? FAR_BRANCH : 0));
  }
}
