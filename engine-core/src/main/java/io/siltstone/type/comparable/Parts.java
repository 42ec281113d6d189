package io.siltstone.type.comparable;

import io.siltstone.bytes.BigEndian;

/** Reads the lengths of the parts within a value, and checks them against its end. */
final class Parts {
  /** The size of a length in bytes. */
  static final int LENGTH_BYTES = Integer.BYTES;

  private Parts() {}

  /**
   * Returns the length of the part whose length is at an offset; negative for a null.
   *
   * @throws IllegalArgumentException if the part does not end before {@code end}
   */
  static int length(byte[] value, int offset, int end, String type) {
    if (end - offset < LENGTH_BYTES) {
      throw truncated(type);
    }
    int length = BigEndian.getInt(value, offset);
    if (length > end - offset - LENGTH_BYTES) {
      throw truncated(type);
    }
    return length;
  }

  static IllegalArgumentException truncated(String type) {
    return new IllegalArgumentException(type + " ends within a part");
  }
}
