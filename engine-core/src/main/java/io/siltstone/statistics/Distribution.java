package io.siltstone.statistics;

/**
 * The distribution of many values, accurate to 1 %. Immutable.
 *
 * @param count the number of values
 * @param mean their mean; 0 without values, as all that follow
 * @param min the least value
 * @param median the value that half of the values do not exceed
 * @param percentiles the values that most of the values do not exceed
 * @param max the greatest value
 */
public record Distribution(
    long count, double mean, double min, double median, Percentiles percentiles, double max) {

  /**
   * The upper percentiles of a distribution.
   *
   * @param p75 the value that 75 % of the values do not exceed
   * @param p95 the value that 95 % do not exceed
   * @param p98 the value that 98 % do not exceed
   * @param p99 the value that 99 % do not exceed
   * @param p999 the value that 99.9 % do not exceed
   */
  public record Percentiles(double p75, double p95, double p98, double p99, double p999) {}
}
