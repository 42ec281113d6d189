package io.siltstone.rows;

import io.siltstone.cursor.Slice;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The restriction of a query: which partitions and rows it reads, and in which order.
 *
 * @param key of the only partition; null if a range is read
 * @param range of the partitions, if it is not one
 * @param slices of each partition, in clustering order
 * @param ranges of rows that were asked for, for messages
 * @param restrictsRows whether a partition of static columns only is not shown
 * @param rest slices of the partition after the split that is read: if no row is there either, a
 *     partition of static columns only is shown although rows are restricted. Usually empty
 * @param reversed whether rows come from the last to the first
 * @param distinct whether there is one row for each partition
 */
record Restriction(
    @Nullable PartitionKey key,
    PartitionRange range,
    List<Slice> slices,
    List<ClusteringRange> ranges,
    boolean restrictsRows,
    List<Slice> rest,
    boolean reversed,
    boolean distinct) {

  /** Returns the restriction to partitions, ranges of rows, and perhaps the rows of a split. */
  static Restriction of(
      QueryFactory table,
      PartitionRestriction partitions,
      List<ClusteringRange> ranges,
      @Nullable Split split,
      boolean reversed,
      boolean distinct) {
    boolean restrictsRows = !ranges.isEmpty() && !ranges.contains(ClusteringRange.all());
    List<Slice> slices = restrictsRows ? table.slices().of(ranges) : table.allRows();
    List<Slice> rest = List.of();
    if (split != null && split.isOfRows()) {
      SliceSet rows = table.slices();
      slices = rows.intersection(slices, rows.between(split.fromRow(), split.beforeRow()));
      // The first part of a partition shows its static columns if no part has a row.
      if (!restrictsRows && split.fromRow().isEmpty()) {
        rest = rows.between(split.beforeRow(), List.of());
      }
      restrictsRows = true;
    }
    return new Restriction(
        partitions.key(),
        partitions.range(),
        slices,
        List.copyOf(ranges),
        restrictsRows,
        rest,
        reversed,
        distinct);
  }
}
