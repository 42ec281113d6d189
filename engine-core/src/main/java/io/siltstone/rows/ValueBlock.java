package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import java.util.Arrays;

/**
 * Serialized values in one array, found by the number of their slot.
 *
 * <pre>
 *   slot[n]      int   index of the value's first byte, 0 for null
 *   per value:
 *     timestamp  long  of a cell only
 *     expires    long  of a cell only: seconds since 1970, Long.MAX_VALUE for never
 *     length     int
 *     value      length bytes
 * </pre>
 *
 * In memory only. Made by {@link ValueBlockBuilder}.
 */
final class ValueBlock {
  /** Bytes before a cell's length. */
  static final int TIMES_BYTES = 2 * Long.BYTES;

  /** Bytes of a length. */
  static final int LENGTH_BYTES = Integer.BYTES;

  private ValueBlock() {}

  static boolean isNull(byte[] block, int slot) {
    return offset(block, slot) == 0;
  }

  static int offset(byte[] block, int slot) {
    return BigEndian.getInt(block, slot * Integer.BYTES);
  }

  static int length(byte[] block, int slot) {
    return BigEndian.getInt(block, offset(block, slot) - LENGTH_BYTES);
  }

  /** Returns the value as an array of its own; it is not null. */
  static byte[] value(byte[] block, int slot) {
    int offset = offset(block, slot);
    return Arrays.copyOfRange(block, offset, offset + length(block, slot));
  }

  static long timestamp(byte[] block, int slot) {
    return BigEndian.getLong(block, offset(block, slot) - LENGTH_BYTES - TIMES_BYTES);
  }

  static long expires(byte[] block, int slot) {
    return BigEndian.getLong(block, offset(block, slot) - LENGTH_BYTES - Long.BYTES);
  }
}
