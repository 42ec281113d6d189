package io.siltstone.rows;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects which partitions a query reads: one, a range, or all. Partitions are restricted once,
 * except that a range of keys may be given by its two ends. Not safe for use by several threads.
 */
final class PartitionRestriction {
  private final Partitioner partitioner;
  private @Nullable PartitionKey key;
  private @Nullable PartitionRange range;
  private @Nullable PartitionKey firstKey;
  private @Nullable PartitionKey endKey;

  PartitionRestriction(Partitioner partitioner) {
    this.partitioner = partitioner;
  }

  /** Restricts the query to the partition of a key, which is copied. */
  void restrictToKey(PartitionKey only) {
    refuseSecond(key != null || range != null || firstKey != null || endKey != null);
    PartitionKey copy = new PartitionKey();
    copy.copyFrom(only);
    key = copy;
  }

  /** Restricts the query to a range. */
  void restrictToRange(PartitionRange only) {
    refuseSecond(key != null || range != null || firstKey != null || endKey != null);
    range = only;
  }

  /** Restricts the query to keys that are not less than this one. */
  void restrictFrom(PartitionKey from) {
    requireByteOrdered();
    refuseSecond(key != null || range != null || firstKey != null);
    firstKey = from;
  }

  /** Restricts the query to keys that are less than this one. */
  void restrictTo(PartitionKey to) {
    requireByteOrdered();
    refuseSecond(key != null || range != null || endKey != null);
    endKey = to;
  }

  private void requireByteOrdered() {
    if (partitioner != Partitioner.BYTE_ORDERED) {
      throw new IllegalArgumentException(
          "a range of keys needs partitions ordered by key, these are ordered by "
              + partitioner
              + ": ask for a range of tokens");
    }
  }

  private static void refuseSecond(boolean isRestricted) {
    if (isRestricted) {
      throw new IllegalStateException("partitions are restricted already");
    }
  }

  /** Returns the key of the only partition; null if the query reads a range or all. */
  @Nullable PartitionKey key() {
    return key;
  }

  /** Returns what contradicts itself, as a part of a message; empty if nothing does. */
  Optional<String> problem() {
    PartitionKey from = firstKey;
    PartitionKey to = endKey;
    boolean endsFirst =
        from != null && to != null && from.compareTo(to) > 0 && !isNothing(from, to);
    return endsFirst
        ? Optional.of("keys end at " + to + " before they begin at " + from)
        : Optional.empty();
  }

  /**
   * Returns whether the range begins after a key and ends before the same one: it is empty, but
   * valid.
   */
  private static boolean isNothing(PartitionKey from, PartitionKey to) {
    return from.equals(to.successor());
  }

  /** Returns the range of partitions that the query reads, if it is not of one partition. */
  PartitionRange range() {
    if (range != null) {
      return range;
    }
    boolean nothing = firstKey != null && endKey != null && isNothing(firstKey, endKey);
    return new PartitionRange(nothing ? endKey : firstKey, endKey);
  }
}
