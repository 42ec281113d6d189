package io.siltstone.table;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;

/**
 * What many values were like, right to one in a hundred. Immutable.
 *
 * @param count how many values
 * @param mean 0 if there are none, as all that follows
 * @param min the least
 * @param median half of the values are not above it
 * @param percentile75 75 % are not above it
 * @param percentile95 95 % are not above it
 * @param percentile98 98 % are not above it
 * @param percentile99 99 % are not above it
 * @param percentile999 99.9 % are not above it
 * @param max the greatest
 */
public record Distribution(
    long count,
    double mean,
    double min,
    double median,
    double percentile75,
    double percentile95,
    double percentile98,
    double percentile99,
    double percentile999,
    double max) {

  /** Significant digits of the histograms: two keep values to one in a hundred. */
  static final int DIGITS = 2;

  private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  /** Of nanoseconds, in microseconds. */
  static Distribution microsOf(AbstractHistogram nanos) {
    return of(nanos, NANOS_PER_MICRO);
  }

  /**
   * @param unit of which the histogram's values are counted in: 1000 for µs of ns
   */
  static Distribution of(AbstractHistogram values, double unit) {
    return new Distribution(
        values.getTotalCount(),
        values.getTotalCount() == 0 ? 0 : values.getMean() / unit,
        values.getTotalCount() == 0 ? 0 : values.getMinValue() / unit,
        values.getValueAtPercentile(50) / unit,
        values.getValueAtPercentile(75) / unit,
        values.getValueAtPercentile(95) / unit,
        values.getValueAtPercentile(98) / unit,
        values.getValueAtPercentile(99) / unit,
        values.getValueAtPercentile(99.9) / unit,
        values.getMaxValue() / unit);
  }
}
