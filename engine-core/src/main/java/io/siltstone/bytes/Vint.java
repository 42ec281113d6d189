package io.siltstone.bytes;

/**
 * Cassandra's variable-length integers.
 *
 * <pre>
 *   first byte   n leading one bits, a zero bit, the value's highest bits
 *   n bytes      the rest of the value, big-endian; n is 0 to 8, and at 8 the first byte holds no value bits
 * </pre>
 *
 * Signed numbers are zig-zag encoded first. Not LEB128. Source: Cassandra {@code VIntCoding}.
 * Allocates nothing.
 */
public final class Vint {
  /** Maximum length of a vint in bytes. */
  public static final int MAX_LENGTH = 9;

  private Vint() {}

  /** Returns the number of bytes that {@code value}, taken as unsigned, takes: 1 to 9. */
  public static int length(long value) {
    // 7 bits of value per byte up to 8 bytes; 639 - 9 * leadingZeros maps leading zeros to (bytes *
    // 64).
    int magnitude = Long.numberOfLeadingZeros(value | 1);
    return (639 - magnitude * 9) >> 6;
  }

  /** Returns the number of bytes that {@code value}, taken as signed, takes: 1 to 9. */
  public static int signedLength(long value) {
    return length(zigZag(value));
  }

  /** Returns the length of the vint whose first byte is given: 1 to 9. */
  public static int lengthFrom(byte first) {
    // After eight ones there is no zero within the byte.
    return first >= 0 ? 1 : Integer.numberOfLeadingZeros(~first << 24 | 1 << 23) + 1;
  }

  /** Returns whether there is a vint at {@code offset} that ends at or before {@code limit}. */
  public static boolean isWhole(byte[] bytes, int offset, int limit) {
    return offset < limit && lengthFrom(bytes[offset]) <= limit - offset;
  }

  /** Reads an unsigned vint that is completely within the array. */
  public static long read(byte[] bytes, int offset) {
    int first = bytes[offset];
    if (first >= 0) {
      return first;
    }
    int extra = lengthFrom(bytes[offset]) - 1;
    long value = first & (0xff >> extra);
    for (int i = 1; i <= extra; i++) {
      value = value << 8 | (bytes[offset + i] & 0xff);
    }
    return value;
  }

  /** Reads a signed vint that is completely within the array. */
  public static long readSigned(byte[] bytes, int offset) {
    long value = read(bytes, offset);
    return value >>> 1 ^ -(value & 1);
  }

  /**
   * Writes {@code value} as unsigned.
   *
   * @return index after the last byte written
   */
  public static int write(byte[] bytes, int offset, long value) {
    int length = length(value);
    if (length == 1) {
      bytes[offset] = (byte) value;
      return offset + 1;
    }
    long rest = value;
    for (int i = length - 1; i > 0; i--) {
      bytes[offset + i] = (byte) rest;
      rest >>>= 8;
    }
    // The leading ones overlap no value bits: the length was chosen so.
    bytes[offset] = (byte) (length == 9 ? 0xff : rest | ~(0xff >> (length - 1)));
    return offset + length;
  }

  /** Writes a signed value, otherwise as {@link #write}. */
  public static int writeSigned(byte[] bytes, int offset, long value) {
    return write(bytes, offset, zigZag(value));
  }

  private static long zigZag(long value) {
    return value << 1 ^ value >> 63;
  }
}
