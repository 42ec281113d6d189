package io.siltstone.bulk;

import io.siltstone.partitioner.PartitionKey;

/**
 * Estimates the number of distinct partition keys within about one percent (HyperLogLog with 16384
 * registers), to size a bloom filter before the partitions are counted.
 */
final class KeyCardinality {
  private static final int INDEX_BITS = 14;
  private static final int REGISTERS = 1 << INDEX_BITS;
  private static final double ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

  private final byte[] registers = new byte[REGISTERS];

  /** Adds a key. */
  void add(PartitionKey key) {
    long hash = key.longHash();
    // The finalizer of Murmur3 spreads the hash over all 64 bits.
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    int index = (int) (hash >>> (Long.SIZE - INDEX_BITS));
    int rank = Long.numberOfLeadingZeros((hash << INDEX_BITS) | (1L << (INDEX_BITS - 1))) + 1;
    if (registers[index] < rank) {
      registers[index] = (byte) rank;
    }
  }

  long estimate() {
    double sum = 0;
    int zeros = 0;
    for (byte register : registers) {
      sum += Math.scalb(1.0, -register);
      zeros += register == 0 ? 1 : 0;
    }
    double estimate = ALPHA * REGISTERS * REGISTERS / sum;
    if (estimate <= 2.5 * REGISTERS && zeros > 0) {
      // For few keys, the number of empty registers gives a better estimate.
      estimate = REGISTERS * Math.log((double) REGISTERS / zeros);
    }
    return Math.round(estimate);
  }
}
