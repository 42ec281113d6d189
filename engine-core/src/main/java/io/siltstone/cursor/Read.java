package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.util.List;

/** One read of a query, see {@code ReadPlan}. Callers must not modify keys and slices. */
public sealed interface Read {

  /**
   * Slices of a partition, with its static row.
   *
   * @param slices in clustering order, not overlapping, at least one
   * @param reversed whether rows are shown from the last to the first
   */
  record OfPartition(PartitionKey key, List<Slice> slices, boolean reversed) implements Read {}

  /**
   * All of a range of partitions, forward.
   *
   * @param isBrowsed whether perhaps only the first few are needed: it then first reads through the
   *     caches, without large read-ahead
   */
  record OfRange(PartitionRange range, boolean isBrowsed) implements Read {

    /** Creates a read of a range of which all partitions are needed. */
    public OfRange(PartitionRange range) {
      this(range, false);
    }
  }
}
