package io.siltstone.liveset;

import io.siltstone.partitioner.PartitionKey;
import java.util.Arrays;

/**
 * The minimum timestamps of a table's memtables, which limit what a purge may remove. Safe for all
 * threads.
 *
 * <p>A memtable counts until the SSTables written from it are live. A purge asks for this first and
 * for the SSTables after it, so that what is flushed in between is seen at least once.
 */
@FunctionalInterface
public interface MemtableTimes {
  /** The times of a table without memtables. */
  MemtableTimes NONE = (first, last) -> Long.MAX_VALUE;

  /**
   * Returns a lower bound of the timestamps, in microseconds, of all data in memtables of
   * partitions from {@code first} to {@code last}, both inclusive; {@link Long#MAX_VALUE} if there
   * is none.
   */
  long minTimestamp(PartitionKey first, PartitionKey last);

  /** Returns a lower bound for all partitions. */
  default long minTimestamp() {
    byte[] greatest = new byte[PartitionKey.MAX_LENGTH];
    Arrays.fill(greatest, (byte) 0xff);
    return minTimestamp(
        PartitionKey.of(new byte[0], Long.MIN_VALUE), PartitionKey.of(greatest, Long.MAX_VALUE));
  }
}
