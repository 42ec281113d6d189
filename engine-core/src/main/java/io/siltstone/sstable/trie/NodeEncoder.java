package io.siltstone.sstable.trie;

import io.siltstone.bytes.BigEndian;

/** Encodes single nodes of a trie, in the forms of {@link NodeType}. Confined to one thread. */
final class NodeEncoder {
  private int[] transitions = {};
  private long[] positions = {};
  private int from;
  private int to;
  // The node goes to an index of this array.
  private byte[] bytes = {};
  private int start;

  NodeEncoder() {}

  /**
   * Sets the children of the next node, in their order.
   *
   * @param childTransitions the bytes that lead to children
   * @param childPositions where children are
   * @param first the index of the first child in both arrays
   * @param end the index after the last one
   */
  void children(int[] childTransitions, long[] childPositions, int first, int end) {
    transitions = childTransitions;
    positions = childPositions;
    from = first;
    to = end;
  }

  /**
   * Encodes a node without its payload.
   *
   * @param target has room for the node at {@code index}
   * @param type of the node
   * @param payloadBits of its first byte, 0 without a payload
   * @param position of the node, from which the pointers to its children are distances
   * @return the length
   */
  int encode(byte[] target, int index, NodeType type, int payloadBits, long position) {
    bytes = target;
    start = index;
    bytes[start] = (byte) (type.code() << 4 | payloadBits);
    return switch (type.shape()) {
      case LEAF -> 1;
      case SINGLE -> writeSingle(type, position);
      case SPARSE -> writeSparse(type, position);
      case DENSE -> writeDense(type, position);
    };
  }

  private int writeSingle(NodeType type, long position) {
    int distance = (int) (position - positions[from]);
    byte transition = (byte) transitions[from];
    switch (type) {
      case SINGLE_4 -> {
        bytes[start] |= (byte) distance;
        bytes[start + 1] = transition;
      }
      case SINGLE_12 -> {
        bytes[start] |= (byte) (distance >> 8);
        bytes[start + 1] = (byte) distance;
        bytes[start + 2] = transition;
      }
      default -> {
        bytes[start + 1] = transition;
        writePointer(2, 0, type.pointerBits(), distance);
      }
    }
    return type.length(1, 1);
  }

  private int writeSparse(NodeType type, long position) {
    int count = to - from;
    int bits = type.pointerBits();
    bytes[start + 1] = (byte) count;
    for (int i = 0; i < count; i++) {
      bytes[start + 2 + i] = (byte) transitions[from + i];
      writePointer(2 + count, i, bits, position - positions[from + i]);
    }
    return 2 + count + type.pointersLength(count);
  }

  private int writeDense(NodeType type, long position) {
    int first = transitions[from];
    int span = transitions[to - 1] - first + 1;
    int bits = type.pointerBits();
    bytes[start + 1] = (byte) first;
    bytes[start + 2] = (byte) (span - 1);
    int at = 0;
    for (int child = from; child < to; child++) {
      for (; at < transitions[child] - first; at++) {
        writePointer(3, at, bits, 0);
      }
      writePointer(3, at++, bits, position - positions[child]);
    }
    return 3 + type.pointersLength(span);
  }

  /** Writes one of several pointers; those before it have been written. */
  private void writePointer(int offset, int index, int bits, long distance) {
    if (bits == 12) {
      int at = start + offset + index * 3 / 2;
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
    int at = start + offset + index * length;
    if (length <= Short.BYTES) {
      bytes[at] = (byte) (length == 1 ? distance : distance >> 8);
      bytes[at + length - 1] = (byte) distance;
      return;
    }
    if (length == Long.BYTES) {
      BigEndian.putLong(bytes, at, distance);
      return;
    }
    for (int i = 0; i < length; i++) {
      bytes[at + i] = (byte) (distance >>> (8 * (length - 1 - i)));
    }
  }
}
