package io.siltstone.sstable.trie;

import java.io.IOException;

/**
 * Writes single nodes of a {@link NodePool}, and says how long they are. Confined to one thread.
 */
final class NodeWriter {
  private static final int MAX_CHILDREN = 256;
  private static final int MAX_PAYLOAD = 64;

  /** The most bytes that a node takes with its payload. */
  static final int MAX_LENGTH = NodeType.MAX_LENGTH + MAX_PAYLOAD;

  private final NodePool nodes;
  private final PagedOutput out;
  private final NodeEncoder encoder = new NodeEncoder();
  private final int[] transitions = new int[MAX_CHILDREN];
  private final long[] positions = new long[MAX_CHILDREN];
  private final byte[] bytes = new byte[MAX_LENGTH];

  NodeWriter(NodePool nodes, PagedOutput out) {
    this.nodes = nodes;
    this.out = out;
  }

  /** Returns the size of a node with its payload at a position, where its children are far. */
  int sizeAt(int node, long position) {
    NodeType type = typeAt(node, position);
    return type.length(nodes.childCount(node), span(node)) + nodes.payloadLength(node);
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
    int count = 0;
    for (int child = nodes.firstChild(node); child != NodePool.NONE; child = nodes.next(child)) {
      transitions[count] = nodes.transition(child);
      positions[count++] = nodes.position(child);
    }
    encoder.children(transitions, positions, 0, count);
    int length =
        encoder.encode(bytes, 0, typeAt(node, position), nodes.payloadBits(node), position);
    nodes.copyPayload(node, bytes, length);
    length += nodes.payloadLength(node);
    out.write(bytes, 0, length);
    return length;
  }
}
