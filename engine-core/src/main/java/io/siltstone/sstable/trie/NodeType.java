package io.siltstone.sstable.trie;

/**
 * A form of a trie node on disk.
 *
 * <pre>
 *   leaf              type 4 bits, payload 4 bits
 *   single, 4 bits    type 4 bits, pointer 4 bits, byte
 *   single, 12 bits   type 4 bits, pointer 12 bits, byte
 *   single            type 4 bits, payload 4 bits, byte, pointer
 *   sparse            type 4 bits, payload 4 bits, count, bytes of the children, their pointers
 *   dense             type 4 bits, payload 4 bits, first byte, number of pointers less 1, pointers
 * </pre>
 *
 * The payload follows the node, if there is one: the four bits are not zero. A pointer is the
 * distance back to the child, which was written before; that of a dense node is 0 where there is no
 * child. Pointers of twelve bits are packed, and zeros fill the last byte. Source: Cassandra {@code
 * TrieNode}.
 */
enum NodeType {
  LEAF(0, Shape.LEAF, 0),
  SINGLE_4(1, Shape.SINGLE, 4),
  SINGLE_8(2, Shape.SINGLE, 8),
  SINGLE_12(3, Shape.SINGLE, 12),
  SINGLE_16(4, Shape.SINGLE, 16),
  SPARSE_8(5, Shape.SPARSE, 8),
  SPARSE_12(6, Shape.SPARSE, 12),
  SPARSE_16(7, Shape.SPARSE, 16),
  SPARSE_24(8, Shape.SPARSE, 24),
  SPARSE_40(9, Shape.SPARSE, 40),
  DENSE_12(10, Shape.DENSE, 12),
  DENSE_16(11, Shape.DENSE, 16),
  DENSE_24(12, Shape.DENSE, 24),
  DENSE_32(13, Shape.DENSE, 32),
  DENSE_40(14, Shape.DENSE, 40),
  DENSE_64(15, Shape.DENSE, 64);

  /** How the children of a node are found. */
  enum Shape {
    LEAF,
    SINGLE,
    SPARSE,
    DENSE
  }

  /** The most bytes that a node takes, without its payload: a dense one of 256 long pointers. */
  static final int MAX_LENGTH = 3 + 256 * Long.BYTES;

  private static final NodeType[] BY_CODE = values();

  // Not every width has a form of each shape: a more general one stands in for those that are
  // missing. The columns belong together.
  private static final NodeType[] SINGLES = {
    SINGLE_4, SINGLE_8, SINGLE_12, SINGLE_16, DENSE_24, DENSE_32, DENSE_40, DENSE_64
  };
  private static final NodeType[] SPARSES = {
    SPARSE_8, SPARSE_8, SPARSE_12, SPARSE_16, SPARSE_24, SPARSE_40, SPARSE_40, DENSE_64
  };
  private static final NodeType[] DENSES = {
    DENSE_12, DENSE_12, DENSE_12, DENSE_16, DENSE_24, DENSE_32, DENSE_40, DENSE_64
  };

  // The column of the narrowest pointer that has room for so many bits.
  private static final byte[] WIDTHS = widths();

  private final int code;
  private final Shape shape;
  private final int pointerBits;

  /**
   * @param code the four bits of the type, which are the place among the values
   */
  NodeType(int code, Shape shape, int pointerBits) {
    this.code = code;
    this.shape = shape;
    this.pointerBits = pointerBits;
  }

  private static byte[] widths() {
    byte[] widths = new byte[Long.SIZE + 1];
    int width = 0;
    for (int bits = 0; bits <= Long.SIZE; bits++) {
      while (SINGLES[width].pointerBits < bits) {
        width++;
      }
      widths[bits] = (byte) width;
    }
    return widths;
  }

  static NodeType ofFirstByte(int first) {
    return BY_CODE[first >>> 4 & 15];
  }

  /**
   * Returns the smallest form for a node with children.
   *
   * @param children 1 to 256
   * @param span of the bytes of its children, both ends included
   * @param distance the longest way back to a child, more than 0
   */
  static NodeType of(int children, int span, long distance, boolean hasPayload) {
    int width = WIDTHS[Long.SIZE - Long.numberOfLeadingZeros(distance)];
    if (children == 1) {
      return SINGLES[hasPayload && !SINGLES[width].hasRoomForPayload() ? width + 1 : width];
    }
    NodeType sparse = SPARSES[width];
    NodeType dense = DENSES[width];
    return sparse.length(children, span) < dense.length(children, span) ? sparse : dense;
  }

  /** Returns the four bits of the type. */
  int code() {
    return code;
  }

  Shape shape() {
    return shape;
  }

  /** Returns the width of a pointer. */
  int pointerBits() {
    return pointerBits;
  }

  /** Returns whether the first byte has four bits for the payload, rather than for the pointer. */
  boolean hasRoomForPayload() {
    return this != SINGLE_4 && this != SINGLE_12;
  }

  /** Returns the length of a node in bytes, without the payload. */
  int length(int children, int span) {
    return switch (shape) {
      case LEAF -> 1;
      case SINGLE -> 1 + (pointerBits + 4) / 8 + (hasRoomForPayload() ? 1 : 0);
      case SPARSE -> 2 + children + pointersLength(children);
      case DENSE -> 3 + pointersLength(span);
    };
  }

  /** Returns the number of bytes of the pointers of a sparse or dense node. */
  int pointersLength(int count) {
    return (count * pointerBits + 7) / 8;
  }
}
