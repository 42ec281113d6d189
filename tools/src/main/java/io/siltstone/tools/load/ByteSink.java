package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import java.util.Arrays;

/** A growing byte array that is reused. Confined to one thread. */
final class ByteSink {
  private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private byte[] bytes;
  private int length;

  ByteSink(int capacity) {
    bytes = new byte[capacity];
  }

  /** Returns the array with the bytes, from index 0 on; replaced when the sink grows. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** Removes the bytes from {@code newLength} on. */
  void truncate(int newLength) {
    length = newLength;
  }

  /**
   * Reserves space for {@code more} bytes, which count as written; returns the index of the first.
   */
  int reserve(int more) {
    if (more > bytes.length - length) {
      long needed = (long) length + more;
      if (needed > MAX_LENGTH) {
        throw new IllegalArgumentException(
            "a row of more than " + needed + " bytes, allowed " + MAX_LENGTH);
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_LENGTH, Math.max(needed, 2L * bytes.length)));
    }
    int at = length;
    length += more;
    return at;
  }

  void put(int value) {
    int at = reserve(1);
    bytes[at] = (byte) value;
  }

  void putShort(int value) {
    int at = reserve(Short.BYTES);
    BigEndian.putShort(bytes, at, value);
  }

  void putInt(int value) {
    int at = reserve(Integer.BYTES);
    BigEndian.putInt(bytes, at, value);
  }

  void putLong(long value) {
    int at = reserve(Long.BYTES);
    BigEndian.putLong(bytes, at, value);
  }

  void put(byte[] from, int offset, int count) {
    int at = reserve(count);
    System.arraycopy(from, offset, bytes, at, count);
  }

  void put(byte[] from) {
    put(from, 0, from.length);
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }
}
