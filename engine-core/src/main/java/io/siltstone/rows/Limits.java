package io.siltstone.rows;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many rows a query returns, how long it may take, and the time by which data has expired.
 *
 * @param rows in all
 * @param perPartition of each partition
 * @param page of a page
 * @param timeout of a read of one page; empty if it may take any time
 * @param nowSeconds by which data has expired; empty for the time of the read
 */
record Limits(
    long rows, int perPartition, int page, Optional<Duration> timeout, OptionalLong nowSeconds) {

  private static final Duration MOST_TIME = Duration.ofDays(365);

  /** Returns a timeout, if it is one. */
  static Duration requireTimeout(Duration timeout) {
    if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(MOST_TIME) > 0) {
      throw new IllegalArgumentException(
          "timeout of " + timeout + ", allowed more than 0, at most " + MOST_TIME);
    }
    return timeout;
  }

  /** Returns the limits of the next page, of which so many rows are left at most. */
  Limits after(long rowsLeft) {
    return new Limits(Math.min(rows, rowsLeft), perPartition, page, timeout, nowSeconds);
  }
}
