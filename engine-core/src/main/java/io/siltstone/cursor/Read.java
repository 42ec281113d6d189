package io.siltstone.cursor;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.Query;
import java.util.List;

/** One part of what a query reads; see {@link Query#reads}. Keys and slices are not to be moved. */
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
   * @param isBrowsed whether perhaps only the first few are wanted: reads through the caches to
   *     begin with, rather than far ahead
   */
  record OfRange(PartitionRange range, boolean isBrowsed) implements Read {

    /** Of which all are wanted. */
    public OfRange(PartitionRange range) {
      this(range, false);
    }
  }
}
