package io.siltstone.bench.workload;

import org.HdrHistogram.Histogram;

/**
 * A summary of latencies, in nanoseconds; zeros if there are none.
 *
 * @param count number of operations
 * @param meanNanos mean
 * @param p50Nanos half of them took no longer
 * @param p99Nanos 99 of 100 took no longer
 * @param p999Nanos 999 of 1,000 took no longer
 * @param maxNanos the longest
 */
public record Latency(
    long count, double meanNanos, long p50Nanos, long p99Nanos, long p999Nanos, long maxNanos) {

  /** Returns the summary of a histogram of nanoseconds. */
  public static Latency of(Histogram nanos) {
    return new Latency(
        nanos.getTotalCount(),
        nanos.getTotalCount() == 0 ? 0 : nanos.getMean(),
        nanos.getValueAtPercentile(50),
        nanos.getValueAtPercentile(99),
        nanos.getValueAtPercentile(99.9),
        nanos.getMaxValue());
  }

  /** Returns this summary with a count that excludes operations that never began. */
  Latency withoutMissed(long missed) {
    return new Latency(count - missed, meanNanos, p50Nanos, p99Nanos, p999Nanos, maxNanos);
  }
}
