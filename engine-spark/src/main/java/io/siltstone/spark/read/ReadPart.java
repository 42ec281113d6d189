package io.siltstone.spark.read;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.rows.Query;
import io.siltstone.rows.Split;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a table that is read by one query: one partition, or a split. It is sent to executors.
 *
 * @param from the key of the partition if {@code isPartition}; otherwise the first key, null for
 *     the first of all
 * @param to the first key after the part, null for the end of the table
 * @param fromRow the values with which the first row begins, see {@link Split}
 * @param beforeRow the values with which the first row after the part begins
 * @param isPartition whether it is one partition
 */
record ReadPart(
    @Nullable KeyBytes from,
    @Nullable KeyBytes to,
    List<Object> fromRow,
    List<Object> beforeRow,
    boolean isPartition)
    implements Serializable {

  /** Returns the part of one partition. */
  static ReadPart of(PartitionKey key) {
    return new ReadPart(KeyBytes.of(key), null, List.of(), List.of(), true);
  }

  /** Returns the part of a split. */
  static ReadPart of(Split split) {
    return new ReadPart(
        KeyBytes.of(split.partitions().from()),
        KeyBytes.of(split.partitions().to()),
        split.fromRow(),
        split.beforeRow(),
        false);
  }

  /** Returns the least token of its keys. */
  long firstToken() {
    return from == null ? Long.MIN_VALUE : from.token();
  }

  /** Returns the greatest token of its keys. */
  long lastToken() {
    KeyBytes end = isPartition ? from : to;
    return end == null ? Long.MAX_VALUE : end.token();
  }

  /** Restricts a query to this part. */
  void restrict(Query.Builder query) {
    if (isPartition && from != null) {
      query.partition(from.key());
      return;
    }
    query.split(
        new Split(
            new PartitionRange(from == null ? null : from.key(), to == null ? null : to.key()),
            fromRow,
            beforeRow,
            0));
  }
}
