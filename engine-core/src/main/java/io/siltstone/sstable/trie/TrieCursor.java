package io.siltstone.sstable.trie;

import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;
import java.util.Arrays;

/**
 * A cursor over the entries of a trie in the order of their keys: nodes with a payload, a key
 * before those that begin with it.
 *
 * <p>Damaged bytes are reported by exceptions that name file and position: a pointer that leaves
 * the file, a node that leaves its page, or a leaf without payload. A walk ends, because children
 * lie before their parents; those who walk over all entries know how many there are, and end where
 * there are more. Confined to one thread; allocates nothing once its arrays have grown to the depth
 * of the trie. Source: Cassandra {@code io.tries.Walker}.
 */
public final class TrieCursor {
  private final TriePages pages;
  private final NodeReader node;
  private long root;

  // The nodes from the root to the current one, and the slot that was taken from each.
  private long[] path = new long[32];
  private int[] slots = new int[32];
  private byte[] bytes = new byte[32];
  private int depth;
  private int matched;
  private boolean prefix;

  /** Creates a cursor, which has to be opened. */
  public TrieCursor(TriePages pages) {
    this.pages = pages;
    this.node = new NodeReader(pages);
  }

  /** Moves to the trie with a given root, before its first entry. */
  public void open(long rootPosition) {
    root = rootPosition;
    depth = 0;
    prefix = false;
  }

  /** Returns the position of the current entry in the file. */
  public long position() {
    return node.position();
  }

  /** Returns the exception for damage at the current node. */
  public CorruptSSTableException corrupt(String reason) {
    return node.corrupt(reason);
  }

  /** Returns the exception for damage at a position. */
  public CorruptSSTableException corrupt(long position, String reason) {
    return pages.corrupt(position, reason);
  }

  /** Returns the four bits of the payload in the current entry's first byte, not 0. */
  public int payloadBits() {
    return node.payloadBits();
  }

  /**
   * Checks that the file has all of the payload.
   *
   * @param length of the payload in bytes
   */
  public void checkPayload(int length) throws CorruptSSTableException {
    node.checkPayload(length);
  }

  /** Returns a byte of the payload, which has been checked. */
  public byte payload(int index) {
    return node.payload(index);
  }

  /** Returns a signed number of 1 to 8 bytes of the payload, which has been checked. */
  public long payloadNumber(int index, int length) {
    long value = node.payload(index);
    for (int i = 1; i < length; i++) {
      value = value << 8 | (node.payload(index + i) & 0xff);
    }
    return value;
  }

  /** Copies bytes of the payload, which has been checked. */
  public void copyPayload(int index, byte[] to, int count) {
    node.copyPayload(index, to, count);
  }

  /**
   * Moves to the entry whose key is the beginning of a key, or the key itself, where no entry
   * begins with its own.
   *
   * @return whether there is one; if not, there is no entry at the cursor, which can only search
   */
  public boolean find(ComparableBytes key) throws IOException {
    prefix = false;
    depth = 0;
    int length = key.length();
    enter(root, 0);
    while (depth <= length) {
      int slot = node.slot(key.get(depth - 1));
      if (slot < 0) {
        break;
      }
      descend(slot);
    }
    matched = depth - 1;
    prefix = node.payloadBits() != 0 && (node.slots() == 0 || matched == length);
    if (!prefix && node.slots() == 0 && node.position() != root) {
      throw withoutPayload();
    }
    return prefix;
  }

  private CorruptSSTableException withoutPayload() {
    return node.corrupt("a leaf of a trie without payload");
  }

  /**
   * Moves to the last entry that is not greater than a key.
   *
   * @return whether there is one; if not, the cursor is before the first entry
   */
  public boolean seekFloor(ComparableBytes key) throws IOException {
    prefix = false;
    depth = 0;
    int floorDepth = 0;
    int floorSlot = NodeReader.NO_SLOT;
    int length = key.length();
    enter(root, 0);
    while (true) {
      int slot = node.slot(depth <= length ? key.get(depth - 1) : -1);
      int lesser = node.slotBefore(slot < 0 ? -1 - slot : slot);
      if (lesser != NodeReader.NO_SLOT || node.payloadBits() != 0) {
        floorDepth = depth;
        floorSlot = lesser;
      }
      if (slot < 0) {
        break;
      }
      descend(slot);
    }
    if (node.slots() == 0 && node.payloadBits() == 0 && depth > 1) {
      throw withoutPayload();
    }
    if (floorDepth == 0) {
      depth = 0;
      return false;
    }
    if (floorDepth != depth) {
      depth = floorDepth;
      node.go(path[depth - 1]);
    }
    if (floorSlot == NodeReader.NO_SLOT) {
      prefix = true;
      return true;
    }
    descend(floorSlot);
    toMax();
    return true;
  }

  /** Returns whether the entry that was searched for is the beginning of the key, or all of it. */
  public boolean isPrefix() {
    return prefix;
  }

  /** Moves to the first entry; returns whether there is one. */
  public boolean toFirst() throws IOException {
    prefix = false;
    depth = 0;
    enter(root, 0);
    return toMin();
  }

  /** Moves to the last entry; returns whether there is one. */
  public boolean toLast() throws IOException {
    prefix = false;
    depth = 0;
    enter(root, 0);
    return toMax();
  }

  /** Moves to the next entry; returns whether there is one. */
  public boolean next() throws IOException {
    if (depth == 0) {
      return toFirst();
    }
    prefix = false;
    int first = node.slotFrom(0);
    if (first != NodeReader.NO_SLOT) {
      descend(first);
      return toMin();
    }
    while (depth > 1) {
      depth--;
      node.go(path[depth - 1]);
      int slot = node.slotFrom(slots[depth - 1] + 1);
      if (slot != NodeReader.NO_SLOT) {
        descend(slot);
        return toMin();
      }
    }
    return false;
  }

  /**
   * Moves back to the entry from which {@link #next} has moved on. Afterwards the cursor can only
   * search.
   *
   * @param position of that entry
   */
  public void goBack(long position) throws IOException {
    depth = 0;
    node.go(position);
  }

  /**
   * Moves to the entry before; returns whether there is one. If not, the cursor is before the first
   * entry.
   */
  public boolean previous() throws IOException {
    prefix = false;
    while (depth > 1) {
      depth--;
      node.go(path[depth - 1]);
      int slot = node.slotBefore(slots[depth - 1]);
      if (slot != NodeReader.NO_SLOT) {
        descend(slot);
        return toMax();
      }
      if (node.payloadBits() != 0) {
        return true;
      }
    }
    depth = 0;
    return false;
  }

  private boolean toMin() throws IOException {
    while (node.payloadBits() == 0) {
      int first = node.slotFrom(0);
      if (first == NodeReader.NO_SLOT) {
        return endWithoutPayload();
      }
      descend(first);
    }
    return true;
  }

  private boolean toMax() throws IOException {
    while (node.slots() > 0) {
      int last = node.slotBefore(node.slots());
      if (last == NodeReader.NO_SLOT) {
        throw withoutPayload();
      }
      descend(last);
    }
    return node.payloadBits() != 0 || endWithoutPayload();
  }

  /** Only a trie without entries has a leaf without payload: its root. */
  private boolean endWithoutPayload() throws CorruptSSTableException {
    if (depth > 1 || node.slots() > 0) {
      throw withoutPayload();
    }
    depth = 0;
    return false;
  }

  private void descend(int slot) throws IOException {
    slots[depth - 1] = slot;
    enter(node.child(slot), node.byteOf(slot));
  }

  private void enter(long position, int byteToNode) throws IOException {
    if (depth == path.length) {
      path = Arrays.copyOf(path, 2 * depth);
      slots = Arrays.copyOf(slots, 2 * depth);
      bytes = Arrays.copyOf(bytes, 2 * depth);
    }
    node.go(position);
    path[depth] = position;
    bytes[depth] = (byte) byteToNode;
    depth++;
  }

  /** Returns how many bytes of the key {@link #find} has found in the trie. */
  public int matched() {
    return matched;
  }

  /**
   * Returns whether a key begins with the bytes of the current entry, as the key that it stands for
   * must. Only where the cursor has walked to the entry, and not gone back to it.
   */
  public boolean isOf(ComparableBytes key) {
    return depth > 0
        && depth - 1 <= key.length()
        && Arrays.equals(bytes, 1, depth, key.bytes(), 0, depth - 1);
  }

  /** Makes the bytes those of the current entry, to which the cursor has walked. */
  public void copyKeyTo(ComparableBytes to) {
    to.clear();
    to.append(bytes, 1, depth - 1);
  }
}
