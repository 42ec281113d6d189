package io.siltstone.sstable.metadata;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of positive numbers in buckets that grow by a fifth each, with one more bucket for
 * greater numbers.
 *
 * <pre>
 *   size      int               buckets and the one for greater numbers, at least 2
 *   offset    long      x size  greatest number of the bucket before; the first one's own
 *   count     long
 * </pre>
 *
 * Source: Cassandra {@code EstimatedHistogram}. Only the creator of an empty histogram adds to it.
 * A published histogram does not change any more and is safe for use by all threads.
 */
public final class EstimatedHistogram {
  // Sizes up to 3.5 TB, and numbers of cells up to 4.1 thousand million.
  private static final int PARTITION_SIZE_BUCKETS = 155;
  private static final int CELL_COUNT_BUCKETS = 118;

  // Each open SSTable has two histograms, which share these arrays.
  private static final long[] SIZE_LIMITS = limits(PARTITION_SIZE_BUCKETS);
  private static final long[] CELL_LIMITS = limits(CELL_COUNT_BUCKETS);

  private static final int ENTRY_BYTES = 16;

  private final long[] limits;
  // The counts up to the last that is not zero, or further.
  private final long[] counts;
  // The bucket of the number added last: that of the next is seldom far from it.
  private int lastBucket;

  private EstimatedHistogram(long[] limits, long[] counts) {
    this.limits = limits;
    this.counts = counts;
  }

  private static long[] limits(int buckets) {
    long[] limits = new long[buckets];
    limits[0] = 1;
    for (int i = 1; i < buckets; i++) {
      long next = Math.round(limits[i - 1] * 1.2);
      limits[i] = next == limits[i - 1] ? next + 1 : next;
    }
    return limits;
  }

  private static EstimatedHistogram empty(long[] limits) {
    return new EstimatedHistogram(limits, new long[limits.length + 1]);
  }

  /** Creates an empty histogram of partition sizes in bytes. */
  static EstimatedHistogram ofPartitionSizes() {
    return empty(SIZE_LIMITS);
  }

  /** Creates an empty histogram of the number of cells in a partition. */
  static EstimatedHistogram ofCellCounts() {
    return empty(CELL_LIMITS);
  }

  /** Returns an empty histogram with the same buckets. */
  public EstimatedHistogram emptied() {
    return empty(limits);
  }

  /** Counts a number. */
  public void add(long value) {
    int bucket = lastBucket;
    while (bucket < limits.length && value > limits[bucket]) {
      bucket++;
    }
    while (bucket > 0 && value <= limits[bucket - 1]) {
      bucket--;
    }
    lastBucket = bucket;
    counts[bucket]++;
  }

  /**
   * Returns the sum of several histograms, in the buckets of the one that has most; an empty one if
   * there are none.
   */
  public static EstimatedHistogram sum(Collection<EstimatedHistogram> parts) {
    EstimatedHistogram most =
        parts.stream()
            .max(Comparator.comparingInt(EstimatedHistogram::buckets))
            .orElseGet(() -> empty(limits(1)));
    EstimatedHistogram sum = empty(most.limits);
    for (EstimatedHistogram part : parts) {
      for (int i = 0; i < part.counts.length; i++) {
        if (part.counts[i] > 0) {
          // The overflow of that histogram is greater than its last limit.
          long value = i < part.limits.length ? part.limits[i] : part.limits[i - 1] + 1;
          sum.counts[sum.bucketOf(value)] += part.counts[i];
        }
      }
    }
    return sum;
  }

  private int bucketOf(long value) {
    int found = Arrays.binarySearch(limits, value);
    return found < 0 ? -found - 1 : found;
  }

  /** Returns a copy of the current counts that uses as little memory as possible. */
  EstimatedHistogram copy() {
    return new EstimatedHistogram(shared(limits), Arrays.copyOf(counts, used()));
  }

  /** Returns the number of counts up to the last that is not zero. */
  private int used() {
    int used = counts.length;
    while (used > 0 && counts[used - 1] == 0) {
      used--;
    }
    return used;
  }

  private static long[] shared(long[] limits) {
    if (Arrays.equals(limits, SIZE_LIMITS)) {
      return SIZE_LIMITS;
    }
    return Arrays.equals(limits, CELL_LIMITS) ? CELL_LIMITS : limits;
  }

  private long at(int bucket) {
    return bucket < counts.length ? counts[bucket] : 0;
  }

  /** Returns the number of buckets, without the one for greater numbers. */
  public int buckets() {
    return limits.length;
  }

  /**
   * Returns the greatest number of a bucket, inclusive; its least is one more than the limit of the
   * bucket before.
   */
  public long limit(int bucket) {
    return limits[bucket];
  }

  /** Returns the number of values in a bucket. */
  public long countIn(int bucket) {
    if (bucket >= limits.length) {
      throw new IndexOutOfBoundsException("bucket " + bucket + " of " + limits.length);
    }
    return at(bucket);
  }

  /** Returns the number of values that are greater than the last bucket's limit. */
  public long overflow() {
    return at(limits.length);
  }

  /** Returns the number of values in all buckets, without the {@link #overflow}. */
  public long count() {
    long sum = 0;
    for (int i = 0; i < limits.length; i++) {
      sum += at(i);
    }
    return sum;
  }

  /**
   * Returns an upper bound of the greatest value, without the {@link #overflow}; 0 if there is
   * none.
   */
  public long max() {
    for (int i = limits.length - 1; i >= 0; i--) {
      if (at(i) > 0) {
        return limits[i];
      }
    }
    return 0;
  }

  /**
   * Returns a lower bound of the least value, without the {@link #overflow}; 0 if there is none.
   */
  public long min() {
    for (int i = 0; i < limits.length; i++) {
      if (at(i) > 0) {
        return i == 0 ? 0 : limits[i - 1] + 1;
      }
    }
    return 0;
  }

  /**
   * Returns an upper bound of a percentile, without the {@link #overflow}; 0 if there are no
   * values.
   *
   * @param share from 0 to 1
   */
  public long percentile(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share " + share + ", allowed 0 to 1");
    }
    long wanted = (long) Math.ceil(count() * share);
    long seen = 0;
    for (int i = 0; wanted > 0 && i < limits.length; i++) {
      seen += at(i);
      if (seen >= wanted) {
        return limits[i];
      }
    }
    return 0;
  }

  /**
   * Returns the mean of the values, each counted as its bucket's limit, without the {@link
   * #overflow}; 0 if there are none.
   */
  public double mean() {
    long count = 0;
    double sum = 0;
    for (int i = 0; i < limits.length; i++) {
      count += at(i);
      sum += (double) at(i) * limits[i];
    }
    return count == 0 ? 0 : sum / count;
  }

  static EstimatedHistogram read(MetadataInput in) throws CorruptSSTableException {
    int start = in.offset();
    int size = in.count(in.int32(), ENTRY_BYTES, "histogram buckets");
    if (size < 2) {
      throw in.corrupt(start, size + " histogram buckets, allowed 2 or more");
    }
    int first = in.offset();
    long[] entries = new long[2 * size];
    in.int64s(entries);
    long[] limits = new long[size - 1];
    long[] counts = new long[size];
    for (int i = 0; i < size; i++) {
      start = first + ENTRY_BYTES * i;
      long limit = entries[2 * i];
      long count = entries[2 * i + 1];
      // The first bucket's limit is written twice.
      int bucket = Math.max(i - 1, 0);
      boolean ascends = i < 2 || limit > limits[bucket - 1];
      if (!ascends || (i == 1 && limit != limits[0])) {
        throw in.corrupt(
            start, "limit " + limit + " of histogram bucket " + bucket + " is out of order");
      }
      if (count < 0) {
        throw in.corrupt(start + 8, "count " + count + " in a histogram, allowed 0 or more");
      }
      limits[bucket] = limit;
      counts[i] = count;
    }
    return new EstimatedHistogram(limits, counts).copy();
  }

  void write(MetadataOutput out) {
    out.int32(limits.length + 1);
    for (int i = 0; i <= limits.length; i++) {
      out.int64(limits[Math.max(i - 1, 0)]);
      out.int64(at(i));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EstimatedHistogram histogram
        && Arrays.equals(limits, histogram.limits)
        && Arrays.equals(counts, 0, used(), histogram.counts, 0, histogram.used());
  }

  @Override
  public int hashCode() {
    int hash = Arrays.hashCode(limits);
    for (int i = used() - 1; i >= 0; i--) {
      hash = 31 * hash + Long.hashCode(counts[i]);
    }
    return hash;
  }

  /** Returns count, least, median and greatest value. */
  @Override
  public String toString() {
    return "EstimatedHistogram[count="
        + count()
        + ", min="
        + min()
        + ", median="
        + percentile(0.5)
        + ", max="
        + max()
        + ", overflow="
        + overflow()
        + "]";
  }
}
