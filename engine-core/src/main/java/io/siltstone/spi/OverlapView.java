package io.siltstone.spi;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.SSTable;
import java.util.List;

/**
 * What else a table has of a partition, beside the inputs of a claim. A tombstone may be forgotten
 * only if everything it could shadow lies in the claim: if its timestamp is less than what these
 * methods return.
 *
 * <p>Always up to date: SSTables and memtables that come while the claim is open are looked at too.
 * What it has looked at stays open, and its files stay, until it is asked again or {@linkplain
 * #release released}. Confined to one thread; no file is read and nothing allocated, unless the
 * table has changed or it was released.
 */
public interface OverlapView {

  /**
   * Returns the least timestamp, in microseconds, of anything outside the claim that may be of this
   * partition; {@link Long#MAX_VALUE} if there is none. Costs least if keys ascend from one call to
   * the next.
   */
  long minTimestamp(PartitionKey key);

  /**
   * Likewise for all partitions from {@code first} to {@code last}, both inclusive, by the ranges
   * of keys alone. SSTables are left out of which everything was deleted or has expired before a
   * time: they have nothing that could come back.
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
   * Returns whether it keeps SSTables open that are not live any more. To be asked now and then by
   * whoever works for long, and followed by {@link #release}.
   */
  boolean isStale();

  /** Lets go of what it has looked at; it may be asked again, and then looks anew. */
  void release();
}
