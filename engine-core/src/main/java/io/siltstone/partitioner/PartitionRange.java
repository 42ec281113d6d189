package io.siltstone.partitioner;

import org.jspecify.annotations.Nullable;

/**
 * A range of partitions in partition order.
 *
 * @param from the first key that is in it, or null for the beginning
 * @param to the first key after it, or null for the end
 */
public record PartitionRange(@Nullable PartitionKey from, @Nullable PartitionKey to) {
  /** All partitions. */
  public static final PartitionRange ALL = new PartitionRange(null, null);

  private static final byte[] LEAST = {};

  /** Rejects ranges that end before they begin. */
  public PartitionRange {
    if (from != null && to != null && from.compareTo(to) > 0) {
      throw new IllegalArgumentException("a range from " + from + " to " + to + " ends first");
    }
  }

  /** Returns whether a key from {@code first} to {@code last}, both included, may be in it. */
  public boolean overlaps(PartitionKey first, PartitionKey last) {
    return (from == null || last.compareTo(from) >= 0) && (to == null || first.compareTo(to) < 0);
  }

  /** Returns all keys with tokens from {@code first} to {@code last}, both included. */
  public static PartitionRange ofTokens(long first, long last) {
    return new PartitionRange(
        PartitionKey.of(LEAST, first),
        last == Long.MAX_VALUE ? null : PartitionKey.of(LEAST, last + 1));
  }
}
