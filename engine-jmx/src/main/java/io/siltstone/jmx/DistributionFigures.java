package io.siltstone.jmx;

import io.siltstone.sstable.metadata.EstimatedHistogram;
import io.siltstone.statistics.Distribution;
import javax.management.ConstructorParameters;

/**
 * The distribution of many values, in the unit that the attribute names; all 0 if there were none.
 * Immutable.
 */
public final class DistributionFigures {
  private final long count;
  private final double mean;
  private final double min;
  private final double median;
  private final double percentile75;
  private final double percentile95;
  private final double percentile98;
  private final double percentile99;
  private final double percentile999;
  private final double max;

  /** Takes the values; see the getters. */
  @ConstructorParameters({
    "count",
    "mean",
    "min",
    "median",
    "percentile75",
    "percentile95",
    "percentile98",
    "percentile99",
    "percentile999",
    "max"
  })
  public DistributionFigures(
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
    this.count = count;
    this.mean = mean;
    this.min = min;
    this.median = median;
    this.percentile75 = percentile75;
    this.percentile95 = percentile95;
    this.percentile98 = percentile98;
    this.percentile99 = percentile99;
    this.percentile999 = percentile999;
    this.max = max;
  }

  /** Returns the figures of a measured distribution. */
  static DistributionFigures of(Distribution values) {
    return new DistributionFigures(
        values.count(),
        values.mean(),
        values.min(),
        values.median(),
        values.percentiles().p75(),
        values.percentiles().p95(),
        values.percentiles().p98(),
        values.percentiles().p99(),
        values.percentiles().p999(),
        values.max());
  }

  /** Returns the figures of a histogram, without values beyond its last bucket. */
  static DistributionFigures of(EstimatedHistogram values) {
    return new DistributionFigures(
        values.count(),
        values.mean(),
        values.min(),
        values.percentile(0.5),
        values.percentile(0.75),
        values.percentile(0.95),
        values.percentile(0.98),
        values.percentile(0.99),
        values.percentile(0.999),
        values.max());
  }

  /** Returns the number of values. */
  public long getCount() {
    return count;
  }

  /** Returns their mean. */
  public double getMean() {
    return mean;
  }

  /** Returns the least value. */
  public double getMin() {
    return min;
  }

  /** Returns the median: half of the values are not above it. */
  public double getMedian() {
    return median;
  }

  /** Returns the 75th percentile. */
  public double getPercentile75() {
    return percentile75;
  }

  /** Returns the 95th percentile. */
  public double getPercentile95() {
    return percentile95;
  }

  /** Returns the 98th percentile. */
  public double getPercentile98() {
    return percentile98;
  }

  /** Returns the 99th percentile. */
  public double getPercentile99() {
    return percentile99;
  }

  /** Returns the 99.9th percentile. */
  public double getPercentile999() {
    return percentile999;
  }

  /** Returns the greatest value. */
  public double getMax() {
    return max;
  }
}
