package io.siltstone.keyvalue;

import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.util.Arrays;

/** A buffer of copied entries, in key order. Reusable, confined to one thread. */
final class EntryBuffer {
  /** The maximum number of entries. */
  static final int MAX_ENTRIES = 1024;

  /** The maximum size of all keys and values together in bytes, unless a single entry is larger. */
  static final int MAX_BYTES = 1 << 20;

  private static final int FIRST_BYTES = 1 << 16;
  private static final int FIRST_ENTRIES = 8;

  private byte[] bytes = {};
  // Where each key and each value begins; the last element of keys is the end of the last value.
  // Created by the first entry, since most cursors only move forward and have no stretch.
  private int[] keys = {};
  private int[] values = {};
  private int count;

  EntryBuffer() {}

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  /**
   * Adds an entry after the others.
   *
   * @param row stands at the cell with the value
   * @return false if there is no room left
   */
  boolean add(PartitionKey key, Unfiltered row) {
    int from = count == 0 ? 0 : keys[count];
    long end = from + (long) key.length() + row.valueLength();
    if (count > 0 && (count == MAX_ENTRIES || end > MAX_BYTES)) {
      return false;
    }
    if (end > bytes.length) {
      int more = Math.min(Math.max(2 * bytes.length, FIRST_BYTES), MAX_BYTES);
      bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(end, more)));
    }
    if (count + 1 >= keys.length) {
      int more = Math.max(FIRST_ENTRIES, 2 * keys.length);
      keys = Arrays.copyOf(keys, more);
      values = Arrays.copyOf(values, more);
    }
    int value = from + key.length();
    System.arraycopy(key.bytes(), key.offset(), bytes, from, key.length());
    System.arraycopy(row.bytes(), row.valueOffset(), bytes, value, row.valueLength());
    keys[count] = from;
    values[count++] = value;
    keys[count] = (int) end;
    return true;
  }

  /** Returns the array that contains all keys and values. */
  byte[] bytes() {
    return bytes;
  }

  int keyOffset(int index) {
    return keys[index];
  }

  int keyLength(int index) {
    return values[index] - keys[index];
  }

  int valueOffset(int index) {
    return values[index];
  }

  int valueLength(int index) {
    return keys[index + 1] - values[index];
  }
}
