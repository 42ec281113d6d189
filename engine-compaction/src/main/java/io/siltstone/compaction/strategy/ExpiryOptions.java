package io.siltstone.compaction.strategy;

/**
 * The options of expiry: when a fully expired SSTable is dropped without being read.
 *
 * @param leastAgeMillis the least age of the data file: a drop that failed is not tried again at
 *     once. In Cassandra it is the time between two checks
 * @param ignoresOverlaps whether the SSTable is dropped even if it shadows data of another SSTable
 */
record ExpiryOptions(long leastAgeMillis, boolean ignoresOverlaps) {
  private static final long DEFAULT_LEAST_AGE_SECONDS = 600;

  /** The options of strategies that do not let the user set them. */
  static final ExpiryOptions DEFAULT = new ExpiryOptions(DEFAULT_LEAST_AGE_SECONDS * 1000, false);

  /**
   * Reads the options of those strategies that let the user set them.
   *
   * @param leastSeconds the lowest value allowed for the age
   */
  static ExpiryOptions of(OptionValues values, long leastSeconds) {
    return new ExpiryOptions(
        values.secondsInMillis(
            "expired_sstable_check_frequency_seconds", DEFAULT_LEAST_AGE_SECONDS, leastSeconds),
        values.flag("unsafe_aggressive_sstable_expiration", false));
  }
}
