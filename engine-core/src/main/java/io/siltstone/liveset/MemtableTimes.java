package io.siltstone.liveset;

import io.siltstone.partitioner.PartitionKey;
import java.util.Arrays;

/**
 * What a purge must know of a table's memtables. Safe for all threads.
 *
 * <p>A memtable counts until the SSTables written from it are live: it is asked first, the SSTables
 * after it, so that what moves from one to the other meanwhile is seen at least once.
 */
@FunctionalInterface
public interface MemtableTimes {
  /** Of a table without memtables. */
  MemtableTimes NONE = (first, last) -> Long.MAX_VALUE;

  /**
   * Least timestamp, in microseconds, of anything in a memtable that may be of a partition from
   * {@code first} to {@code last}, both inclusive; {@link Long#MAX_VALUE} if there is nothing. May
   * be less than it is, never greater.
   */
  long minTimestamp(PartitionKey first, PartitionKey last);

  /** Likewise for all partitions. */
  default long minTimestamp() {
    byte[] greatest = new byte[PartitionKey.MAX_LENGTH];
    Arrays.fill(greatest, (byte) 0xff);
    return minTimestamp(
        PartitionKey.of(new byte[0], Long.MIN_VALUE), PartitionKey.of(greatest, Long.MAX_VALUE));
  }
}
