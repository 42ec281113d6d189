package io.siltstone.bench.workload;

/**
 * A pseudorandom scatter of the numbers from 0 to below a count. Numbers below the next power of
 * two are mixed by invertible steps, repeatedly until the result is below the count (cycle
 * walking). Immutable.
 */
public final class Permutation {
  private final long count;
  private final long mask;
  private final int shift;

  /** Permutes the numbers from 0 to below a count. */
  public Permutation(long count) {
    this.count = count;
    int bits = Math.max(2, Long.SIZE - Long.numberOfLeadingZeros(count - 1));
    mask = (1L << bits) - 1;
    shift = (bits + 1) / 2;
  }

  /** Returns the image of a number. */
  public long of(long value) {
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
