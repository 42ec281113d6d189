package io.siltstone.spi;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import java.util.List;

/**
 * The overlap check of a tombstone purge: finds data of a partition outside the inputs of a claim.
 * A tombstone may be purged only if all data that it could shadow is in the claim: if its timestamp
 * is less than the results of these methods.
 *
 * <p>The view is always up to date: it includes SSTables and memtables that are added while the
 * claim is open. SSTables that it has consulted stay open, and their files stay, until the next
 * call or {@linkplain #release}. Confined to one thread. It reads no file and allocates nothing,
 * unless the table has changed or it was released.
 */
public interface OverlapView {

  /**
   * Returns the least timestamp, in microseconds, of all data outside the claim that may belong to
   * this partition; {@link Long#MAX_VALUE} if there is none. Costs least if keys ascend from one
   * call to the next.
   */
  long minTimestamp(PartitionKey key);

  /**
   * Returns the least timestamp for all partitions from {@code first} to {@code last}, both
   * inclusive, by the key spans of SSTables alone. SSTables whose data was all deleted or expired
   * before a time are left out, as none of it could be resurrected.
   *
   * @param gcBefore in seconds since 1970
   */
  long minTimestamp(PartitionKey first, PartitionKey last, long gcBefore);

  /**
   * Returns the SSTables outside of the claim whose ranges of keys have a key from {@code first} to
   * {@code last} in common, both inclusive. They stay open until this view is asked again or
   * released, or the claim is closed.
   */
  List<SSTable> tables(PartitionKey first, PartitionKey last);

  /**
   * Returns whether it keeps SSTables open that are no longer live. Long jobs call this from time
   * to time, and then {@link #release}.
   */
  boolean isStale();

  /** Releases the SSTables that it has consulted; the next call opens them again. */
  void release();
}
