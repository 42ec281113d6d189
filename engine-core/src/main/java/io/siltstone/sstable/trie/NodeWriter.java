package io.siltstone.sstable.trie;

import io.siltstone.bytes.BigEndian;
import java.io.IOException;

/** Encodes single nodes of a trie, in the forms of {@link NodeType}. Confined to one thread. */
final class NodeWriter {
  private static final int MAX_PAYLOAD = 64;

  /** The most bytes that a node takes with its payload. */
  private static final int MAX_LENGTH = NodeType.MAX_LENGTH + MAX_PAYLOAD;

  private final NodePool nodes;
  private final PagedOutput out;
  private final byte[] single = new byte[MAX_LENGTH];
  // The node that is being encoded goes to an index of this array.
  private byte[] bytes = single;
  private int start;

  NodeWriter(NodePool nodes, PagedOutput out) {
    this.nodes = nodes;
    this.out = out;
  }

  /** Returns the size of a node with its payload at a position, where its children are far. */
  int sizeAt(int node, long position) {
    return size(node, typeAt(node, position));
  }

  /** Returns the size of a node of a form, with its payload. */
  int size(int node, NodeType type) {
    return type.length(nodes.childCount(node), span(node)) + nodes.payloadLength(node);
  }

  /** Returns the form of a node at a position, from which its children may be far. */
  NodeType typeAt(int node, long position) {
    return nodes.childCount(node) == 0
        ? NodeType.LEAF
        : NodeType.of(
            nodes.childCount(node),
            span(node),
            longestDistance(node, position),
            nodes.payloadBits(node) != 0);
  }

  private int span(int node) {
    return nodes.childCount(node) == 0
        ? 0
        : nodes.transition(nodes.lastChild(node)) - nodes.transition(nodes.firstChild(node)) + 1;
  }

  /**
   * Returns how far back the farthest child is, or will be: what has not been written comes
   * directly before the node, each child after the nodes below it.
   */
  private long longestDistance(int node, long position) {
    int first = nodes.firstChild(node);
    if (!nodes.hasFarChild(node)) {
      return (long) nodes.branchSize(node) - nodes.branchSize(first);
    }
    long longest = 0;
    boolean unwritten = false;
    for (int child = first; child != NodePool.NONE; child = nodes.next(child)) {
      if (nodes.position(child) != NodePool.UNWRITTEN) {
        longest = Math.max(longest, position - nodes.position(child));
      } else if (!unwritten) {
        unwritten = true;
        longest = Math.max(longest, (long) nodes.branchSize(node) - nodes.branchSize(child));
      }
    }
    return longest;
  }

  /**
   * Writes a node, whose children have been written, at the output's position.
   *
   * @return its length in bytes, with the payload
   */
  int write(int node) throws IOException {
    long position = out.position();
    bytes = single;
    start = 0;
    int length = encode(node, typeAt(node, position), position);
    out.write(single, 0, length);
    return length;
  }

  /** Appends a node without children to a buffer, as a branch. */
  void appendLeaf(int node, BranchBuffer branches) {
    int at = branches.length();
    int length = 1 + nodes.payloadLength(node);
    branches.ensure(length);
    branches.bytes()[at] = (byte) (NodeType.LEAF.code() << 4 | nodes.payloadBits(node));
    nodes.copyPayload(node, branches.bytes(), at + 1);
    branches.advance(length);
    nodes.setBranchAt(node, at);
    nodes.setNodeSize(node, length);
  }

  /**
   * Appends a node to a buffer, in which the branches of all its children are the last ones. They
   * and the node become one branch.
   *
   * @param from where the first of them begins
   */
  void appendNode(int node, NodeType type, BranchBuffer branches, int from) {
    for (int child = nodes.firstChild(node); child != NodePool.NONE; child = nodes.next(child)) {
      nodes.setPosition(child, nodes.branchAt(child) + (long) nodes.branchSize(child));
    }
    branches.ensure(MAX_LENGTH);
    bytes = branches.bytes();
    start = branches.length();
    branches.advance(encode(node, type, start));
    nodes.setBranchAt(node, from);
  }

  /** Encodes a node at a position, from which the pointers to its children are distances. */
  private int encode(int node, NodeType type, long position) {
    int length = type.length(nodes.childCount(node), span(node));
    bytes[start] = (byte) (type.code() << 4 | nodes.payloadBits(node));
    switch (type.shape()) {
      case LEAF -> {}
      case SINGLE -> writeSingle(node, type, position);
      case SPARSE -> writeSparse(node, type, position);
      case DENSE -> writeDense(node, type, position);
    }
    nodes.copyPayload(node, bytes, start + length);
    return length + nodes.payloadLength(node);
  }

  private void writeSingle(int node, NodeType type, long position) {
    int child = nodes.firstChild(node);
    int distance = (int) (position - nodes.position(child));
    byte to = (byte) nodes.transition(child);
    switch (type) {
      case SINGLE_4 -> {
        bytes[start] |= (byte) distance;
        bytes[start + 1] = to;
      }
      case SINGLE_12 -> {
        bytes[start] |= (byte) (distance >> 8);
        bytes[start + 1] = (byte) distance;
        bytes[start + 2] = to;
      }
      default -> {
        bytes[start + 1] = to;
        writePointer(2, 0, type.pointerBits(), distance);
      }
    }
  }

  private void writeSparse(int node, NodeType type, long position) {
    int count = nodes.childCount(node);
    bytes[start + 1] = (byte) count;
    int i = 0;
    for (int child = nodes.firstChild(node); child != NodePool.NONE; child = nodes.next(child)) {
      bytes[start + 2 + i] = (byte) nodes.transition(child);
      writePointer(2 + count, i, type.pointerBits(), position - nodes.position(child));
      i++;
    }
  }

  private void writeDense(int node, NodeType type, long position) {
    int from = nodes.transition(nodes.firstChild(node));
    int span = span(node);
    bytes[start + 1] = (byte) from;
    bytes[start + 2] = (byte) (span - 1);
    int at = 0;
    for (int child = nodes.firstChild(node); child != NodePool.NONE; child = nodes.next(child)) {
      for (; at < nodes.transition(child) - from; at++) {
        writePointer(3, at, type.pointerBits(), 0);
      }
      writePointer(3, at++, type.pointerBits(), position - nodes.position(child));
    }
  }

  /** Writes one of several pointers; those before it have been written. */
  private void writePointer(int from, int index, int bits, long distance) {
    if (bits == 12) {
      int at = start + from + index * 3 / 2;
      if ((index & 1) == 0) {
        bytes[at] = (byte) (distance >> 4);
        bytes[at + 1] = (byte) (distance << 4);
      } else {
        bytes[at] |= (byte) (distance >> 8);
        bytes[at + 1] = (byte) distance;
      }
      return;
    }
    int length = bits / 8;
    int at = start + from + index * length;
    if (length == Long.BYTES) {
      BigEndian.putLong(bytes, at, distance);
      return;
    }
    for (int i = 0; i < length; i++) {
      bytes[at + i] = (byte) (distance >>> (8 * (length - 1 - i)));
    }
  }
}
