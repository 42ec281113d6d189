package io.siltstone.rows;

import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.util.ArrayList;
import java.util.List;

/** Plans the reads of partitions and ranges that a query, or one page of it, consists of. */
final class ReadPlan {
  /** Up to so many rows, a scan is likely to end early, so that it does not read ahead at once. */
  private static final int FEW_ROWS = 1000;

  private ReadPlan() {}

  /**
   * Returns the reads in order: usually one; none if nothing can match; two if a page ended within
   * a partition and a scan continues with the rest of it.
   */
  static List<Read> of(Query query) {
    if (query.limit() == 0 || query.slices().isEmpty()) {
      return List.of();
    }
    PartitionKey key = query.keyView();
    boolean isOfFewRows = query.mostRows() <= FEW_ROWS;
    PagingState after = query.continuedAfter();
    if (after == null || after.place() == PagingState.Place.BEGINNING) {
      return List.of(
          key != null
              ? new Read.OfPartition(key, query.slices(), query.isReversed())
              : new Read.OfRange(query.range(), isOfFewRows));
    }
    List<Read> reads = new ArrayList<>();
    PartitionKey at = query.table().keys().keyOf(after.key());
    if (after.place() == PagingState.Place.AFTER_ROW && !query.isEnough(after.inPartition())) {
      List<Slice> rest =
          query
              .table()
              .slices()
              .after(query.slices(), new Places(query).clusteringOf(after), query.isReversed());
      if (!rest.isEmpty()) {
        reads.add(new Read.OfPartition(at, rest, query.isReversed()));
      }
    }
    if (key == null) {
      reads.add(
          new Read.OfRange(new PartitionRange(at.successor(), query.range().to()), isOfFewRows));
    }
    return List.copyOf(reads);
  }
}
