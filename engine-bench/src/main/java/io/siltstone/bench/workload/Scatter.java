package io.siltstone.bench.workload;

/**
 * A fixed permutation of the numbers from 0 to below a count, without an order to be seen. Numbers
 * of the next power of two are mixed by steps that can be undone, again and again until one below
 * the count comes out. Immutable.
 */
final class Scatter {
  private final long count;
  private final long mask;
  private final int shift;

  Scatter(long count) {
    this.count = count;
    int bits = Math.max(2, Long.SIZE - Long.numberOfLeadingZeros(count - 1));
    mask = (1L << bits) - 1;
    shift = (bits + 1) / 2;
  }

  /** Where a number goes. */
  long of(long value) {
    long z = value;
    do {
      z = (z + 0x9E3779B97F4A7C15L) & mask;
      z = ((z ^ (z >>> shift)) * 0xBF58476D1CE4E5B9L) & mask;
      z = ((z ^ (z >>> shift)) * 0x94D049BB133111EBL) & mask;
      z ^= z >>> shift;
    } while (z >= count);
    return z;
  }
}
