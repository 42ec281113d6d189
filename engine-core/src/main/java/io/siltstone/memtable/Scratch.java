package io.siltstone.memtable;

/** Arrays that are reused and grow. */
final class Scratch {
  private static final int LEAST_BYTES = 64;

  private Scratch() {}

  /** The array, or a larger one in its place; what was in it is lost then. */
  static byte[] atLeast(byte[] array, int length) {
    return array.length >= length ? array : new byte[grown(array.length, length)];
  }

  /** A capacity of at least {@code length} for what had {@code present}. */
  static int grown(int present, int length) {
    return (int)
        Math.min(Integer.MAX_VALUE - 8L, Math.max(length, Math.max(LEAST_BYTES, 2L * present)));
  }
}
