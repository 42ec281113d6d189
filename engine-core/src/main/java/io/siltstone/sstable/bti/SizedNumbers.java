package io.siltstone.sstable.bti;

/**
 * Signed numbers of one to eight bytes, big-endian, whose length is stored elsewhere. Source:
 * Cassandra {@code SizedInts}.
 */
final class SizedNumbers {
  private SizedNumbers() {}

  /** Returns the least number of bytes that a number takes with its sign. */
  static int length(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value < 0 ? ~value : value) + Byte.SIZE)
        / Byte.SIZE;
  }

  /** Writes the lowest bytes of a number. */
  static void write(byte[] to, int at, long value, int length) {
    for (int i = 0; i < length; i++) {
      to[at + i] = (byte) (value >>> (Byte.SIZE * (length - 1 - i)));
    }
  }
}
