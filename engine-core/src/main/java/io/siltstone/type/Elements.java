package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.io.ByteArrayOutputStream;

/**
 * Reads and writes the elements within a value of a list, set, map, tuple or user type.
 *
 * <pre>
 *   length   int   negative: null
 *   value    length bytes
 * </pre>
 *
 * Collections have their count, an int, in front. Source: Cassandra {@code CollectionSerializer},
 * native protocol 3 and later. Reading allocates nothing and never goes beyond {@code end}.
 */
final class Elements {
  /** Size of a count and of a length in bytes. */
  static final int LENGTH_BYTES = Integer.BYTES;

  /** {@link #length} of a null. */
  static final int NULL = -1;

  private Elements() {}

  /**
   * Returns the number of elements of the collection in [offset, end).
   *
   * @throws IllegalArgumentException if there is none
   */
  static int count(CqlType type, byte[] value, int offset, int end) {
    if (end - offset < LENGTH_BYTES) {
      throw truncated(type, "its count of elements");
    }
    return BigEndian.getInt(value, offset);
  }

  /**
   * Returns the length of the element whose length is at {@code offset}, {@link #NULL} for a null.
   *
   * @throws IllegalArgumentException if the element does not end before {@code end}
   */
  static int length(CqlType type, byte[] value, int offset, int end) {
    if (end - offset < LENGTH_BYTES) {
      throw truncated(type, "an element's length");
    }
    int length = BigEndian.getInt(value, offset);
    if (length < 0) {
      return NULL;
    }
    if (length > end - offset - LENGTH_BYTES) {
      throw new IllegalArgumentException(
          type
              + " has an element of "
              + length
              + " bytes, allowed at most "
              + (end - offset - LENGTH_BYTES));
    }
    return length;
  }

  /**
   * As {@link #length}, of an element that may not be null.
   *
   * @throws IllegalArgumentException if it is
   */
  static int presentLength(CqlType type, byte[] value, int offset, int end) {
    int length = length(type, value, offset, end);
    if (length == NULL) {
      throw new IllegalArgumentException(type + " has a null element, allowed none");
    }
    return length;
  }

  /** Checks that a collection ends with its last element. */
  static void checkEnd(CqlType type, int offset, int end) {
    if (offset != end) {
      throw new IllegalArgumentException(
          type + " has bytes after its last element: " + (end - offset) + ", allowed 0");
    }
  }

  static IllegalArgumentException truncated(CqlType type, String within) {
    return new IllegalArgumentException(type + " ends within " + within);
  }

  /** Writes a count or a length. */
  static void writeInt(ByteArrayOutputStream out, int number) {
    byte[] bytes = new byte[Integer.BYTES];
    BigEndian.putInt(bytes, 0, number);
    out.writeBytes(bytes);
  }

  static void write(ByteArrayOutputStream out, byte[] element) {
    writeInt(out, element.length);
    out.writeBytes(element);
  }
}
