package io.siltstone.compaction.strategy;

/**
 * When a table that has expired as a whole is dropped.
 *
 * @param leastAgeMillis of the data file: what could not be dropped is not tried again at once. In
 *     Cassandra it is the time between two looks
 * @param ignoresOverlaps whether it is dropped even if it shadows something in another table
 */
record ExpiryOptions(long leastAgeMillis, boolean ignoresOverlaps) {
  private static final long DEFAULT_LEAST_AGE_SECONDS = 600;

  /** Of strategies that have no options for it. */
  static final ExpiryOptions DEFAULT = new ExpiryOptions(DEFAULT_LEAST_AGE_SECONDS * 1000, false);

  /**
   * Reads the options that two strategies have for it.
   *
   * @param leastSeconds that the age may be set to
   */
  static ExpiryOptions of(OptionValues values, long leastSeconds) {
    return new ExpiryOptions(
        values.secondsInMillis(
            "expired_sstable_check_frequency_seconds", DEFAULT_LEAST_AGE_SECONDS, leastSeconds),
        values.flag("unsafe_aggressive_sstable_expiration", false));
  }
}
