package io.siltstone.compaction.strategy;

/**
 * The options of size-tiered compaction: when SSTables are of similar size, and how many are
 * merged. Names and defaults are those of Cassandra's {@code SizeTieredCompactionStrategyOptions}.
 *
 * @param bucketLow a similar size is more than this times the bucket's average
 * @param bucketHigh a similar size is less than this times the bucket's average
 * @param minSSTableBytes all sizes below this are similar
 * @param minThreshold the least number of SSTables of similar size that are merged
 * @param maxThreshold the greatest number of SSTables that one job merges
 */
record SizeTieredOptions(
    double bucketLow, double bucketHigh, long minSSTableBytes, int minThreshold, int maxThreshold) {
  static final double DEFAULT_BUCKET_LOW = 0.5;
  static final double DEFAULT_BUCKET_HIGH = 1.5;
  static final long DEFAULT_MIN_SSTABLE_BYTES = 50L << 20;
  static final int DEFAULT_MIN_THRESHOLD = 4;
  static final int DEFAULT_MAX_THRESHOLD = 32;

  static SizeTieredOptions of(OptionValues values) {
    double low = values.real("bucket_low", DEFAULT_BUCKET_LOW, -Double.MAX_VALUE);
    double high = values.real("bucket_high", DEFAULT_BUCKET_HIGH, -Double.MAX_VALUE);
    if (high <= low) {
      values.wrong(
          values.has("bucket_high") ? "bucket_high" : "bucket_low",
          "values with bucket_high greater than bucket_low, here " + high + " and " + low);
    }
    int min = values.unsigned("min_threshold", DEFAULT_MIN_THRESHOLD, 2);
    int max = values.unsigned("max_threshold", DEFAULT_MAX_THRESHOLD, 1);
    if (max < min) {
      values.wrong(
          values.has("max_threshold") ? "max_threshold" : "min_threshold",
          "values with max_threshold not less than min_threshold, here " + max + " and " + min);
    }
    return new SizeTieredOptions(
        low,
        high,
        values.number("min_sstable_size", DEFAULT_MIN_SSTABLE_BYTES, 0, Long.MAX_VALUE),
        min,
        max);
  }
}
