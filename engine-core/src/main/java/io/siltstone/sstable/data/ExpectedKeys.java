package io.siltstone.sstable.data;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The keys that an index has for a range of partitions, with which a {@link DataCursor} compares
 * the keys in the data. The index has no checksum, so its positions may be wrong. Confined to one
 * thread.
 */
final class ExpectedKeys {
  private @Nullable PartitionKey first;
  private final @Nullable PartitionKey upperBound;
  private final BiFunction<Long, String, CorruptSSTableException> misplaced;

  /**
   * @param first key of the first partition, or null if it need not be checked
   * @param upperBound a key that is greater than all keys of the range, or null
   * @param misplaced creates the exception, from the position in the data that the index has for
   *     one of these keys, and the reason
   */
  ExpectedKeys(
      @Nullable PartitionKey first,
      @Nullable PartitionKey upperBound,
      BiFunction<Long, String, CorruptSSTableException> misplaced) {
    this.first = first;
    this.upperBound = upperBound;
    this.misplaced = misplaced;
  }

  /** Returns the exception for a partition that cannot be read: the index may be the cause. */
  CorruptSSTableException unreadable(long position, CorruptSSTableException cause) {
    boolean isFirst = first != null;
    first = null;
    return !isFirst || cause.isOfChecksum()
        ? cause
        : misplaced.apply(position, "no partition begins at " + position + ": " + cause.reason());
  }

  /**
   * Compares the key of a partition with those that are expected.
   *
   * @param position of the partition in the data
   * @param end of the range in the data
   */
  void check(PartitionKey key, long position, long end) throws CorruptSSTableException {
    PartitionKey expected = first;
    first = null;
    if (expected != null && !key.equals(expected)) {
      throw misplaced.apply(position, key + " is at " + position + ", not " + expected);
    }
    if (upperBound != null && key.compareTo(upperBound) >= 0) {
      throw misplaced.apply(
          end, key + " lies before " + end + ", where " + upperBound + " would be");
    }
  }

  /** Throws if the end of the range, over which a row reaches, is known from the index. */
  void checkEnd(long end) throws CorruptSSTableException {
    if (upperBound != null) {
      throw misplaced.apply(
          end, "a row reaches over " + end + ", where a partition is said to begin");
    }
  }
}
