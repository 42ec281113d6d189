package io.siltstone.table.read;

import io.siltstone.statistics.Distribution;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A histogram of values from 0 to {@link Long#MAX_VALUE}, with a precision of one percent.
 *
 * <p>Values below {@value #STEPS} have a bucket each. Above, each power of two is divided into
 * {@value #STEPS} buckets of equal width. The array of buckets grows with the greatest value, to 57
 * KiB at most; once it has grown, recording a value allocates nothing.
 *
 * <p>Not safe for use by several threads.
 */
public final class Histogram {
  private static final int STEP_BITS = 7;
  private static final int STEPS = 1 << STEP_BITS;
  private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  private long[] counts = new long[STEPS];
  private long count;
  private double sum;
  private long min = Long.MAX_VALUE;
  private long max;

  /**
   * Records a value.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void record(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("value " + value + ", allowed 0 or more");
    }
    int bucket = bucket(value);
    ensureBuckets(bucket + 1);
    counts[bucket]++;
    count++;
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  /** Adds all values of another histogram. */
  public void add(Histogram other) {
    ensureBuckets(other.counts.length);
    for (int i = 0; i < other.counts.length; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
    sum += other.sum;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  private void ensureBuckets(int buckets) {
    if (buckets > counts.length) {
      // Grows by whole powers of two, since values of the same magnitude are likely to follow.
      counts = Arrays.copyOf(counts, (buckets + STEPS - 1) / STEPS * STEPS);
    }
  }

  private static int bucket(long value) {
    if (value < STEPS) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(value);
    return shift * STEPS + (int) (value >>> shift);
  }

  /** Returns the greatest value that belongs to a bucket. */
  private static long greatest(int bucket) {
    if (bucket < STEPS) {
      return bucket;
    }
    int shift = bucket / STEPS - 1;
    long step = (long) STEPS + bucket % STEPS;
    return (step << shift) + (1L << shift) - 1;
  }

  /** Returns how the values are distributed, in their own unit. */
  Distribution distribution() {
    return distribution(1);
  }

  /** Returns how values that are nanoseconds are distributed, in microseconds. */
  public Distribution micros() {
    return distribution(NANOS_PER_MICRO);
  }

  private Distribution distribution(double unit) {
    return new Distribution(
        count,
        count == 0 ? 0 : sum / count / unit,
        count == 0 ? 0 : min / unit,
        percentile(50) / unit,
        new Distribution.Percentiles(
            percentile(75) / unit,
            percentile(95) / unit,
            percentile(98) / unit,
            percentile(99) / unit,
            percentile(99.9) / unit),
        max / unit);
  }

  /**
   * Returns the value that so many percent of all values do not exceed; 0 if there are no values.
   */
  private long percentile(double percent) {
    long rank = Math.max(1, (long) Math.ceil(count * percent / 100));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(greatest(i), max);
      }
    }
    return 0;
  }
}
