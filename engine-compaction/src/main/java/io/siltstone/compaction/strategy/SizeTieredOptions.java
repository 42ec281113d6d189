package io.siltstone.compaction.strategy;

/**
 * When tables are of similar size. Names and defaults are those of Cassandra's {@code
 * SizeTieredCompactionStrategyOptions}.
 *
 * @param bucketLow times the average, above which a size is similar
 * @param bucketHigh times the average, below which a size is similar
 * @param minSSTableBytes below which all sizes are similar
 * @param minThreshold tables of similar size that are merged at least
 * @param maxThreshold tables that are merged at once at most
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
          "bucket_high greater than bucket_low, here " + high + " and " + low);
    }
    int min = values.unsigned("min_threshold", DEFAULT_MIN_THRESHOLD, 2);
    int max = values.unsigned("max_threshold", DEFAULT_MAX_THRESHOLD, 1);
    if (max < min) {
      values.wrong(
          values.has("max_threshold") ? "max_threshold" : "min_threshold",
          "max_threshold not less than min_threshold, here " + max + " and " + min);
    }
    return new SizeTieredOptions(
        low,
        high,
        values.number("min_sstable_size", DEFAULT_MIN_SSTABLE_BYTES, 0, Long.MAX_VALUE),
        min,
        max);
  }
}
