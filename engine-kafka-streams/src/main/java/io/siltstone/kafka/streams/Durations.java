package io.siltstone.kafka.streams;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** Checks periods of stores. */
final class Durations {
  private Durations() {}

  /**
   * Returns a period in milliseconds.
   *
   * @param name of the parameter, for messages
   * @throws IllegalArgumentException if it is negative, or too long
   */
  static long millis(String name, Duration period) {
    requireNonNull(period, name + " cannot be null");
    if (period.isNegative()) {
      throw new IllegalArgumentException(name + " cannot be negative: " + period);
    }
    try {
      return period.toMillis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          name + " " + period + " is too long for milliseconds in 64 bits", e);
    }
  }
}
