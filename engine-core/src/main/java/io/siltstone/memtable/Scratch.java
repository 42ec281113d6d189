package io.siltstone.memtable;

/** Grows reusable arrays. */
final class Scratch {
  private static final int LEAST_BYTES = 64;

  private Scratch() {}

  /** Returns the array, or a larger one in its place; what was in it is lost then. */
  static byte[] atLeast(byte[] array, int length) {
    return array.length >= length ? array : new byte[grown(array.length, length)];
  }

  /** Returns a capacity of at least {@code length} for what had {@code present}. */
  static int grown(int present, int length) {
    return (int)
        Math.min(Integer.MAX_VALUE - 8L, Math.max(length, Math.max(LEAST_BYTES, 2L * present)));
  }
}
