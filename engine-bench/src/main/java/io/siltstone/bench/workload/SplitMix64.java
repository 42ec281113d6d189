package io.siltstone.bench.workload;

/**
 * A bijective hash of numbers: that of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom
 * Number Generators, 2014).
 */
final class SplitMix64 {
  private SplitMix64() {}

  /** Returns a different, pseudorandom number for each number. */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
