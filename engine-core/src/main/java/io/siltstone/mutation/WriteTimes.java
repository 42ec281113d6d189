package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.schema.TableOptions;

/** The valid ranges of timestamps and TTLs of writes. */
final class WriteTimes {
  private WriteTimes() {}

  /**
   * Returns the expiration time in seconds since 1970, {@link DeletionTime#NO_DELETION_TIME} if
   * there is no TTL.
   */
  static long expirationSeconds(int ttlSeconds, long nowSeconds) {
    return ttlSeconds == DeletionTime.NO_TTL
        ? DeletionTime.NO_DELETION_TIME
        : nowSeconds + ttlSeconds;
  }

  /** Rejects the one timestamp that stands for none. */
  static void checkTimestamp(long timestampMicros) {
    if (timestampMicros == DeletionTime.NO_TIMESTAMP) {
      throw new IllegalArgumentException(
          "timestamp "
              + timestampMicros
              + ", allowed "
              + (DeletionTime.NO_TIMESTAMP + 1)
              + " to "
              + Long.MAX_VALUE);
    }
  }

  /**
   * Rejects timestamps of partition and range deletions that files cannot hold: from version {@code
   * oa} on, the sign says whether there is a deletion of a partition, or of a range that is open
   * between index blocks.
   */
  static void checkRangeTimestamp(long timestampMicros) {
    if (timestampMicros < 0) {
      throw new IllegalArgumentException(
          "timestamp "
              + timestampMicros
              + " for the deletion of a partition or range, allowed 0 to "
              + Long.MAX_VALUE);
    }
  }

  /** Rejects TTLs that are out of range, or that expire later than the format can hold. */
  static void checkTtl(int ttlSeconds, long nowSeconds, long latestSeconds) {
    if (ttlSeconds < 0 || ttlSeconds > TableOptions.MAX_TIME_TO_LIVE) {
      throw new IllegalArgumentException(
          "TTL of " + ttlSeconds + " s, allowed 0 to " + TableOptions.MAX_TIME_TO_LIVE);
    }
    if (ttlSeconds != DeletionTime.NO_TTL && nowSeconds + ttlSeconds > latestSeconds) {
      throw new IllegalArgumentException(
          "TTL of "
              + ttlSeconds
              + " s ends at "
              + (nowSeconds + ttlSeconds)
              + " s since 1970, the latest that the table's format holds is "
              + latestSeconds);
    }
  }
}
