package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;

/** Vints at the end of a range, all lengths of them: {@link Vint} itself misreads nine bytes. */
final class Vints {
  /** First byte of a vint whose value is wholly in the eight bytes behind it. */
  private static final byte LONGEST = (byte) 0xff;

  private Vints() {}

  /** Whether the vint at {@code offset} ends before {@code end}. */
  static boolean isWhole(byte[] bytes, int offset, int end) {
    return offset < end && lengthFrom(bytes[offset]) <= end - offset;
  }

  static int lengthFrom(byte first) {
    return first == LONGEST ? Vint.MAX_LENGTH : Vint.lengthFrom(first);
  }

  static long read(byte[] bytes, int offset) {
    return bytes[offset] == LONGEST
        ? BigEndian.getLong(bytes, offset + 1)
        : Vint.read(bytes, offset);
  }

  static long readSigned(byte[] bytes, int offset) {
    long value = read(bytes, offset);
    return (value >>> 1) ^ -(value & 1);
  }
}
