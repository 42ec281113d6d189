package io.siltstone.rows;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.util.List;

/**
 * A part of a table that one task of several reads: a range of partitions, or a range of the rows
 * of one large partition. {@code Table.splits} divides a table into such parts, and {@link
 * Query.Builder#split} reads one. Each row that the table has, or gets later, belongs to exactly
 * one split of a division.
 *
 * <p>A split consists of keys and values alone, so that it can be sent to another process by its
 * components, and read there from a copy of the table, such as a checkpoint. Immutable if keys and
 * values are not changed; safe for use by any number of threads.
 *
 * @param partitions the range of partitions; that of exactly one key if {@code fromRow} or {@code
 *     beforeRow} is given
 * @param fromRow the values of clustering columns with which the first row begins, in clustering
 *     order, which is that of the columns' directions; empty for the first row of the partition
 * @param beforeRow the values with which the first row after the split begins; empty for the end of
 *     the partition
 * @param bytes the estimated size of the data before compression, of all its versions; 0 if the
 *     samples have none
 */
public record Split(
    PartitionRange partitions, List<Object> fromRow, List<Object> beforeRow, long bytes) {

  /** Copies the lists, and checks that rows are of one partition. */
  public Split {
    fromRow = List.copyOf(fromRow);
    beforeRow = List.copyOf(beforeRow);
    PartitionKey from = partitions.from();
    PartitionKey to = partitions.to();
    boolean isOne = from != null && to != null && from.successor().equals(to);
    if (!(fromRow.isEmpty() && beforeRow.isEmpty()) && !isOne) {
      throw new IllegalArgumentException(
          "a split with rows from "
              + fromRow
              + " before "
              + beforeRow
              + " of "
              + partitions
              + ", allowed is one partition");
    }
  }

  /** Returns whether it is a range of the rows of one partition. */
  public boolean isOfRows() {
    return !fromRow.isEmpty() || !beforeRow.isEmpty();
  }

  /** Returns the part in words, for messages. */
  @Override
  public String toString() {
    return isOfRows()
        ? "rows from " + fromRow + " before " + beforeRow + " of " + partitions.from()
        : "partitions from " + partitions.from() + " before " + partitions.to();
  }
}
