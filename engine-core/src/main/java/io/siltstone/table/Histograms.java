package io.siltstone.table;

import io.siltstone.statistics.Distribution;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

/** The histograms of a table's statistics, and what is told of them. */
final class Histograms {
  /** Significant digits: two keep values to one in a hundred. */
  private static final int DIGITS = 2;

  private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

  private Histograms() {}

  /** One that holds nothing yet. */
  static Histogram empty() {
    return new Histogram(DIGITS);
  }

  /** What the values were like, in their own unit. */
  static Distribution distribution(AbstractHistogram values) {
    return of(values, 1);
  }

  /** What nanoseconds were like, in microseconds. */
  static Distribution micros(AbstractHistogram nanos) {
    return of(nanos, NANOS_PER_MICRO);
  }

  /**
   * @param unit of which the histogram's values are counted in: 1000 for µs of ns
   */
  private static Distribution of(AbstractHistogram values, double unit) {
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
