package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Walks over the entries of a trie on disk, in the order of their keys.
 *
 * <p>The first byte of a node has the type in its upper half, and in its lower half bits that say
 * whether and which payload follows the node; nodes of the types 1 and 3 have none, and a pointer
 * begins there instead. A pointer is the distance back to a child.
 *
 * <pre>
 *   type     0           leaf
 *            1 to 4      one child:  its byte, pointer; in type 3 the pointer comes first
 *            5 to 9      sparse:     count, bytes of the children, pointers
 *            10 to 15    dense:      first byte, count - 1, pointers, 0 where there is no child
 * </pre>
 *
 * Each step checks that nodes and payloads stay in their page, that children lie before their
 * parent, and that their bytes ascend. So a walk comes to an end, unless damage makes it longer
 * than it can last; the caller stops when there are more entries than there may be. Confined to one
 * thread; does not own the file. Source of the form: Cassandra {@code TrieNode}.
 */
final class TrieEntries {
  private static final int PAGE_BYTES = 4096;
  // A walk in the order of the keys goes to and fro between the pages of a few branches, which were
  // written one after the other, and those of the nodes above.
  private static final int BLOCK_BYTES = 4 * PAGE_BYTES;
  private static final int KEPT_BLOCKS = 16;
  private static final int NEW = -1;
  private static final int FIRST_SPARSE = 5;
  private static final int FIRST_DENSE = 10;

  /** The bits of a pointer, by the type of its node: a whole number of halves of bytes. */
  private static final int[] POINTER_BITS = {
    0, 4, 8, 12, 16, 8, 12, 16, 24, 40, 12, 16, 24, 32, 40, 64
  };

  private final ReadableFile file;
  private final long end;
  private final byte[][] blocks = new byte[KEPT_BLOCKS][0];
  private final int[] lengths = new int[KEPT_BLOCKS];
  private final long[] starts = new long[KEPT_BLOCKS];
  private final long[] lastUses = new long[KEPT_BLOCKS];
  private long uses;
  // The block of the node that was parsed last, and of the one before in another block.
  private int block;
  private int blockBefore;

  // The nodes from the root to the current one, and the child that is next in each.
  private long[] path = new long[64];
  private int[] nextChild = new int[64];
  private byte[] key = new byte[64];
  private int depth;

  // The node that was parsed last.
  private long node = NEW;
  private byte[] page = {};
  private int pageEnd;
  private int at;
  private int type;
  private int children;
  private int pointersAt;
  private int payloadAt;

  // The entry that was found last. A leaf is found without its being parsed, so that the node above
  // it, which has the next entry, need not be parsed again.
  private long entry;
  private int entryAt;
  private int entryPayloadAt;
  private int keyLength;

  /**
   * @param file of which each byte can be read alone
   * @param end of the part of the file in which nodes may be
   */
  TrieEntries(ReadableFile file, long end) {
    this.file = file;
    this.end = end;
    Arrays.fill(starts, NEW);
  }

  /** Begins a walk before the first entry below a root. */
  void open(long root) throws OutputVerificationException {
    if (root < 0 || root >= end) {
      throw wrong(Math.max(0, root), "a root at " + root, "one before " + end);
    }
    path[0] = root;
    nextChild[0] = NEW;
    depth = 1;
  }

  /** Moves to the next entry; returns whether there is one. */
  boolean next() throws IOException {
    while (depth > 0) {
      parse(path[depth - 1], nextChild[depth - 1] == NEW);
      if (nextChild[depth - 1] == NEW) {
        nextChild[depth - 1] = 0;
        if (hasPayloadBits() && (page[at] & 0xf) != 0) {
          take(node, at, payloadAt, depth - 1);
          return true;
        }
        if (children == 0) {
          throw wrong(node, "a leaf without payload", "one with a payload");
        }
      }
      int child = nextChild[depth - 1];
      while (child < children && type >= FIRST_DENSE && pointer(child) == 0) {
        child++;
      }
      nextChild[depth - 1] = child + 1;
      if (child == children) {
        depth--;
      } else if (descend(child)) {
        return true;
      }
    }
    return false;
  }

  private void take(long position, int index, int payloadIndex, int length) {
    entry = position;
    entryAt = index;
    entryPayloadAt = payloadIndex;
    keyLength = length;
  }

  /**
   * Moves to a child, or takes it for the entry if it is a leaf close by.
   *
   * @return whether it is the entry
   */
  private boolean descend(int child) throws IOException {
    int byteOfChild = byteOf(child);
    long distance = pointer(child);
    if (distance <= 0 || distance > node) {
      throw wrong(node, "a child " + distance + " bytes before", "1 to " + node);
    }
    if (byteOfChild > 0xff || (child > 0 && byteOfChild <= byteOf(child - 1))) {
      throw wrong(node, "byte " + byteOfChild + " of child " + child, "a greater one, up to 255");
    }
    if (depth == path.length) {
      path = Arrays.copyOf(path, 2 * depth);
      nextChild = Arrays.copyOf(nextChild, 2 * depth);
      key = Arrays.copyOf(key, 2 * depth);
    }
    key[depth - 1] = (byte) byteOfChild;
    long position = node - distance;
    long index = position - starts[block];
    if (index >= 0 && page[(int) index] >>> 4 == 0 && page[(int) index] != 0) {
      take(position, (int) index, (int) index + 1, depth);
      return true;
    }
    path[depth] = position;
    nextChild[depth] = NEW;
    depth++;
    return false;
  }

  /**
   * Parses the node at a position, unless it was the last one.
   *
   * @param isNew whether it has not been checked yet
   */
  private void parse(long position, boolean isNew) throws IOException {
    if (position == node) {
      return;
    }
    node = NEW;
    load(position);
    type = (page[at] & 0xff) >>> 4;
    int bits = POINTER_BITS[type];
    if (type == 0) {
      children = 0;
      pointersAt = at + 1;
      payloadAt = at + 1;
    } else if (type < FIRST_SPARSE) {
      children = 1;
      // Where there is no payload, the pointer begins in the second half of the first byte.
      pointersAt = hasPayloadBits() ? at + 2 : at;
      payloadAt = at + 2 + (hasPayloadBits() ? bits : bits - 4) / Byte.SIZE;
    } else if (type < FIRST_DENSE) {
      children = at + 1 < pageEnd ? page[at + 1] & 0xff : 0;
      pointersAt = at + 2 + children;
      payloadAt = pointersAt + (children * bits + 7) / Byte.SIZE;
    } else {
      children = at + 2 < pageEnd ? 1 + (page[at + 2] & 0xff) : 0;
      pointersAt = at + 3;
      payloadAt = pointersAt + (children * bits + 7) / Byte.SIZE;
    }
    if (isNew) {
      check(position, bits);
    }
    node = position;
  }

  private void check(long position, int bits) throws OutputVerificationException {
    if (payloadAt > pageEnd || (type > 0 && children == 0)) {
      throw wrong(position, "a node of type " + type, "one with children that ends in its page");
    }
    boolean isPadded = type >= FIRST_SPARSE && children * bits % Byte.SIZE != 0;
    if (isPadded && (page[payloadAt - 1] & 0xf) != 0) {
      throw wrong(position, "something after the last pointer of a node", "four bits of zero");
    }
    if (type >= FIRST_DENSE && (pointer(0) == 0 || pointer(children - 1) == 0)) {
      throw wrong(position, "a node without its first or last child", "one that has both");
    }
  }

  private void load(long position) throws IOException {
    long start = position & -BLOCK_BYTES;
    if (starts[block] != start) {
      int other = blockBefore;
      blockBefore = block;
      block = starts[other] == start ? other : find(start);
      page = blocks[block];
    }
    at = (int) (position - start);
    pageEnd = pageEnd(at);
  }

  private int pageEnd(int index) {
    return Math.min(lengths[block], (index & -PAGE_BYTES) + PAGE_BYTES);
  }

  /** Returns the number of a block, which is read if it is not kept. */
  private int find(long start) throws IOException {
    lastUses[blockBefore] = ++uses;
    int oldest = 0;
    for (int i = 0; i < KEPT_BLOCKS; i++) {
      if (starts[i] == start) {
        lastUses[i] = ++uses;
        return i;
      }
      if (lastUses[i] < lastUses[oldest]) {
        oldest = i;
      }
    }
    byte[] bytes = blocks[oldest];
    if (bytes.length == 0) {
      bytes = new byte[BLOCK_BYTES];
      blocks[oldest] = bytes;
    }
    starts[oldest] = NEW;
    lengths[oldest] = (int) Math.min(BLOCK_BYTES, end - start);
    file.readFully(start, ByteBuffer.wrap(bytes, 0, lengths[oldest]));
    starts[oldest] = start;
    lastUses[oldest] = ++uses;
    return oldest;
  }

  private boolean hasPayloadBits() {
    return type != 1 && type != 3;
  }

  private int byteOf(int child) {
    if (type < FIRST_SPARSE) {
      return page[type == 3 ? at + 2 : at + 1] & 0xff;
    }
    return type < FIRST_DENSE ? page[at + 2 + child] & 0xff : (page[at + 1] & 0xff) + child;
  }

  private long pointer(int child) {
    return switch (POINTER_BITS[type]) {
      case 8 -> page[pointersAt + child] & 0xff;
      case 12 -> {
        int two = twoBytes(pointersAt + child * 3 / 2);
        // The only pointer of a node without payload comes after the half of its first byte.
        yield hasPayloadBits() && (child & 1) == 0 ? two >>> 4 : two & 0xfff;
      }
      case 16 -> twoBytes(pointersAt + 2 * child);
      case 24 ->
          (twoBytes(pointersAt + 3 * child) << Byte.SIZE)
              | (page[pointersAt + 3 * child + 2] & 0xff);
      case 4 -> page[pointersAt] & 0xf;
      default -> longPointer(child);
    };
  }

  private int twoBytes(int index) {
    return ((page[index] & 0xff) << Byte.SIZE) | (page[index + 1] & 0xff);
  }

  private long longPointer(int child) {
    int length = POINTER_BITS[type] / Byte.SIZE;
    int index = pointersAt + child * length;
    long distance = 0;
    for (int i = index; i < index + length; i++) {
      distance = distance << Byte.SIZE | (page[i] & 0xff);
    }
    return distance;
  }

  /** Returns the array whose first {@link #keyLength()} bytes are the key of the entry. */
  byte[] key() {
    return key;
  }

  /** Returns the length of the key of the entry. */
  int keyLength() {
    return keyLength;
  }

  /** Returns the position of the entry's node. */
  long position() {
    return entry;
  }

  /** Returns the bits of the payload, 1 to 15. */
  int payloadBits() {
    return page[entryAt] & 0xf;
  }

  /**
   * Checks that the page has all of the payload.
   *
   * @param length of the payload in bytes
   */
  void checkPayload(int length) throws OutputVerificationException {
    if (entryPayloadAt + length > pageEnd(entryAt)) {
      throw wrong(entry, "a payload of " + length + " bytes", "one that ends in its page");
    }
  }

  /** Returns a byte of the payload, which has been checked. */
  int payload(int index) {
    return page[entryPayloadAt + index];
  }

  /** Returns a signed number of the payload, which has been checked. */
  long number(int from, int bytes) {
    int index = entryPayloadAt + from;
    long value = page[index];
    for (int i = index + 1; i < index + bytes; i++) {
      value = value << Byte.SIZE | (page[i] & 0xff);
    }
    return value;
  }

  /** Returns the hash of a deletion in the payload, which has been checked. */
  long deletionHash(int from) {
    int index = entryPayloadAt + from;
    return RunningHash.ofDeletion(
        BigEndian.getLong(page, index), BigEndian.getInt(page, index + Long.BYTES));
  }

  /** Returns the exception for a defect at a position of the file. */
  OutputVerificationException wrong(long position, String found, String expected) {
    return new OutputVerificationException(file.path(), position, found, expected);
  }
}
