package io.siltstone.sstable.check;

import java.util.Arrays;

/**
 * A running hash of the keys, positions and index blocks of all partitions in a data file or its
 * index. It keeps the hash before every {@value #STEP}th partition, by which a difference between
 * the two files is located.
 */
final class IndexHash {
  static final int STEP = 256;

  private long hash;
  private long partitions;
  private long[] checkpoints = new long[16];
  private int count;

  /**
   * Adds a partition.
   *
   * @param key hash of its key
   * @param position of the partition in the data file
   */
  void partition(long key, long position) {
    if ((partitions++ & (STEP - 1)) == 0) {
      checkpoint();
    }
    hash = RunningHash.mixed(RunningHash.mixed(hash, key), position);
  }

  private void checkpoint() {
    if (count == checkpoints.length) {
      checkpoints = Arrays.copyOf(checkpoints, 2 * count);
    }
    checkpoints[count++] = hash;
  }

  /** Adds the hash of the index blocks of the partition added last. */
  void blocks(long number) {
    hash = RunningHash.mixed(hash, number);
  }

  /**
   * Compares the hash with another.
   *
   * @return the first of the {@value #STEP} partitions among which the difference is, -1 if there
   *     is none
   */
  long firstDifference(IndexHash other) {
    if (hash == other.hash && partitions == other.partitions) {
      return -1;
    }
    int same = 0;
    while (same < Math.min(count, other.count) && checkpoints[same] == other.checkpoints[same]) {
      same++;
    }
    return (long) STEP * Math.max(0, same - 1);
  }
}
