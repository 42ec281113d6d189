package io.siltstone.sstable.trie;

import io.siltstone.bytes.BigEndian;
import java.io.IOException;

/** Writes single nodes of a trie, in the forms of {@link NodeType}. Confined to one thread. */
final class NodeWriter {
  private static final int MAX_PAYLOAD = 64;

  private final NodePool nodes;
  private final PagedOutput out;
  private final byte[] bytes = new byte[NodeType.MAX_LENGTH + MAX_PAYLOAD];

  NodeWriter(NodePool nodes, PagedOutput out) {
    this.nodes = nodes;
    this.out = out;
  }

  /** Returns the size of a node with its payload at a position, where its children are far. */
  int sizeAt(int node, long position) {
    return typeAt(node, position).length(nodes.childCount(node), span(node))
        + nodes.payloadLength(node);
  }

  private NodeType typeAt(int node, long position) {
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
    NodeType type = typeAt(node, position);
    int length = type.length(nodes.childCount(node), span(node));
    bytes[0] = (byte) (type.code() << 4 | nodes.payloadBits(node));
    switch (type.shape()) {
      case LEAF -> {}
      case SINGLE -> writeSingle(node, type, position);
      case SPARSE -> writeSparse(node, type, position);
      case DENSE -> writeDense(node, type, position);
    }
    nodes.copyPayload(node, bytes, length);
    length += nodes.payloadLength(node);
    out.write(bytes, 0, length);
    return length;
  }

  private void writeSingle(int node, NodeType type, long position) {
    int child = nodes.firstChild(node);
    int distance = (int) (position - nodes.position(child));
    byte to = (byte) nodes.transition(child);
    switch (type) {
      case SINGLE_4 -> {
        bytes[0] |= (byte) distance;
        bytes[1] = to;
      }
      case SINGLE_12 -> {
        bytes[0] |= (byte) (distance >> 8);
        bytes[1] = (byte) distance;
        bytes[2] = to;
      }
      default -> {
        bytes[1] = to;
        writePointer(2, 0, type.pointerBits(), distance);
      }
    }
  }

  private void writeSparse(int node, NodeType type, long position) {
    int count = nodes.childCount(node);
    bytes[1] = (byte) count;
    int i = 0;
    for (int child = nodes.firstChild(node); child != NodePool.NONE; child = nodes.next(child)) {
      bytes[2 + i] = (byte) nodes.transition(child);
      writePointer(2 + count, i, type.pointerBits(), position - nodes.position(child));
      i++;
    }
  }

  private void writeDense(int node, NodeType type, long position) {
    int from = nodes.transition(nodes.firstChild(node));
    int span = span(node);
    bytes[1] = (byte) from;
    bytes[2] = (byte) (span - 1);
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
      int at = from + index * 3 / 2;
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
    int at = from + index * length;
    if (length == Long.BYTES) {
      BigEndian.putLong(bytes, at, distance);
      return;
    }
    for (int i = 0; i < length; i++) {
      bytes[at + i] = (byte) (distance >>> (8 * (length - 1 - i)));
    }
  }
}
