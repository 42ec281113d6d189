package io.siltstone.sstable;

import io.siltstone.sstable.metadata.EstimatedHistogram;

/**
 * The number of bytes of a cached chunk that a point read copies first: so many that they hold
 * nearly any partition, if partitions are small.
 */
final class FirstBytes {
  private static final double SHARE = 0.95;
  private static final int LEAST = 256;
  private static final int MOST = 4 * 1024;
  private static final int OF_LARGE = 2 * 1024;

  private FirstBytes() {}

  /** Returns the number for the sizes of an SSTable's partitions. */
  static int of(EstimatedHistogram partitionSizes) {
    long size = partitionSizes.percentile(SHARE);
    return size == 0 || size > MOST ? OF_LARGE : (int) Math.max(size, LEAST);
  }
}
