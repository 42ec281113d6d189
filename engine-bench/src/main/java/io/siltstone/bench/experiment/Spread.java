package io.siltstone.bench.experiment;

import java.util.List;

/**
 * The values that the same measurement gave in several rounds.
 *
 * @param median for an even number of rounds, the mean of the two in the middle
 * @param min the least
 * @param max the greatest
 */
public record Spread(double median, double min, double max) {
  /**
   * Returns the spread of the values of all rounds.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    return new Spread(
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2,
        sorted[0],
        sorted[sorted.length - 1]);
  }
}
