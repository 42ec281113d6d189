package io.siltstone.sstable.trie;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A view of one node of a trie, in place; {@link NodeType} has the forms of nodes.
 *
 * <p>A node has slots for its children, in the order of their bytes; those of a dense node may be
 * empty. A child lies before its parent, so that no walk over damaged bytes goes round. Confined to
 * one thread; allocates nothing.
 */
final class NodeReader {
  /** Stands for no slot. */
  static final int NO_SLOT = -1;

  private static final ByteBuffer NO_PAGE = ByteBuffer.allocate(0);
  private static final long NO_START = -1;

  private final TriePages pages;
  private ByteBuffer page = NO_PAGE;
  private long pageStart = NO_START;
  private long position;
  private int at;
  private NodeType type = NodeType.LEAF;
  private int slots;
  private int payloadAt;

  NodeReader(TriePages pages) {
    this.pages = pages;
  }

  /** Moves to the node at a position. */
  void go(long to) throws IOException {
    if (to < 0 || to >= pages.length()) {
      throw pages.corrupt(
          Math.max(to, 0), "a trie node at " + to + ", nodes are before " + pages.length());
    }
    long start = to & -PagedOutput.PAGE_BYTES;
    if (start != pageStart) {
      pageStart = NO_START;
      page = pages.page(start);
      pageStart = start;
    }
    position = to;
    at = (int) (to - start);
    type = NodeType.ofFirstByte(page.get(at));
    int limit = page.limit();
    slots =
        switch (type.shape()) {
          case LEAF -> 0;
          case SINGLE -> 1;
          case SPARSE -> at + 1 < limit ? page.get(at + 1) & 0xff : 0;
          case DENSE -> at + 2 < limit ? 1 + (page.get(at + 2) & 0xff) : 0;
        };
    payloadAt = at + type.length(slots, slots);
    if (payloadAt > limit || (slots == 0 && type != NodeType.LEAF)) {
      throw corrupt("a node of type " + type.code() + " that has no children or leaves its page");
    }
  }

  long position() {
    return position;
  }

  CorruptSSTableException corrupt(String reason) {
    return pages.corrupt(position, reason);
  }

  int payloadBits() {
    return type.hasRoomForPayload() ? page.get(at) & 15 : 0;
  }

  /**
   * Checks that the page has all of the payload.
   *
   * @param length of the payload in bytes
   */
  void checkPayload(int length) throws CorruptSSTableException {
    if (length > page.limit() - payloadAt) {
      throw corrupt("a payload of " + length + " bytes leaves its page");
    }
  }

  /** Returns a byte of the payload, which has been checked. */
  byte payload(int index) {
    return page.get(payloadAt + index);
  }

  /** Copies bytes of the payload, which has been checked. */
  void copyPayload(int from, byte[] to, int count) {
    page.get(payloadAt + from, to, 0, count);
  }

  /** Returns the number of slots for children. */
  int slots() {
    return slots;
  }

  /**
   * Returns the slot of a byte.
   *
   * @param b unsigned, or a negative number, which comes before all bytes
   * @return if there is no child {@code -1 - n}, where {@code n} is the first slot with a greater
   *     byte, or the number of slots
   */
  int slot(int b) {
    switch (type.shape()) {
      case LEAF -> {
        return -1;
      }
      case SINGLE -> {
        int only = byteOf(0);
        return b == only ? 0 : b < only ? -1 : -2;
      }
      case DENSE -> {
        int slot = b - byteOf(0);
        if (slot < 0) {
          return -1;
        }
        if (slot >= slots) {
          return -1 - slots;
        }
        return pointer(slot) != 0 ? slot : -1 - slot;
      }
      default -> {
        return search(b);
      }
    }
  }

  private int search(int b) {
    int from = 0;
    int to = slots - 1;
    while (from <= to) {
      int middle = (from + to) >>> 1;
      int found = page.get(at + 2 + middle) & 0xff;
      if (found == b) {
        return middle;
      }
      if (found < b) {
        from = middle + 1;
      } else {
        to = middle - 1;
      }
    }
    return -1 - from;
  }

  /** Returns the byte of a slot. */
  int byteOf(int slot) {
    return switch (type.shape()) {
      case LEAF -> 0;
      case SINGLE -> page.get(type == NodeType.SINGLE_12 ? at + 2 : at + 1) & 0xff;
      case SPARSE -> page.get(at + 2 + slot) & 0xff;
      case DENSE -> (page.get(at + 1) & 0xff) + slot;
    };
  }

  /** Returns the first slot from one on that has a child. */
  int slotFrom(int first) {
    for (int slot = first; slot < slots; slot++) {
      if (type.shape() != NodeType.Shape.DENSE || pointer(slot) != 0) {
        return slot;
      }
    }
    return NO_SLOT;
  }

  /** Returns the last slot before one that has a child. */
  int slotBefore(int end) {
    for (int slot = end - 1; slot >= 0; slot--) {
      if (type.shape() != NodeType.Shape.DENSE || pointer(slot) != 0) {
        return slot;
      }
    }
    return NO_SLOT;
  }

  /** Returns the position of the child in a slot. */
  long child(int slot) throws CorruptSSTableException {
    long distance = pointer(slot);
    if (distance <= 0 || distance > position) {
      throw corrupt("a trie node whose child is " + distance + " bytes before it");
    }
    return position - distance;
  }

  private long pointer(int slot) {
    return switch (type) {
      case LEAF -> 0;
      case SINGLE_4 -> page.get(at) & 15;
      case SINGLE_12 -> page.getShort(at) & 0xfff;
      default -> pointer(slot, payloadAt - type.pointersLength(slots));
    };
  }

  private long pointer(int slot, int from) {
    return switch (type.pointerBits()) {
      case 8 -> page.get(from + slot) & 0xff;
      case 12 -> {
        int two = page.getShort(from + slot * 3 / 2);
        yield ((slot & 1) == 0 ? two >> 4 : two) & 0xfff;
      }
      case 16 -> page.getShort(from + 2 * slot) & 0xffff;
      case 24 ->
          (page.getShort(from + 3 * slot) & 0xffff) << 8 | (page.get(from + 3 * slot + 2) & 0xff);
      case 32 -> page.getInt(from + 4 * slot) & 0xffff_ffffL;
      case 40 ->
          (page.getInt(from + 5 * slot) & 0xffff_ffffL) << 8
              | (page.get(from + 5 * slot + 4) & 0xff);
      default -> page.getLong(from + 8 * slot);
    };
  }
}
