package io.siltstone.rows;

import io.siltstone.cursor.PartitionKey;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.Slice;
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
