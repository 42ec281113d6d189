package io.siltstone.tools.load;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;

/**
 * The timestamp and expiration that all cells of a load share.
 *
 * @param timestampMicros timestamp of each cell
 * @param ttlSeconds time to live of each cell, 0 for none
 * @param nowSeconds time of the load in seconds since 1970: the deletion time of tombstones, and
 *     the time from which TTLs count
 */
record CellTimes(long timestampMicros, int ttlSeconds, long nowSeconds) {

  /** Returns the time at which cells expire, {@link DeletionTime#NO_DELETION_TIME} for never. */
  long expirationSeconds() {
    return ttlSeconds == 0 ? DeletionTime.NO_DELETION_TIME : nowSeconds + ttlSeconds;
  }

  /**
   * Returns the timestamp of the deletion that precedes a collection which is written as a whole.
   */
  long overwrittenMicros() {
    return timestampMicros - 1;
  }

  /** Returns the delta bases of a table with such cells. */
  EncodingStats stats(boolean overwrites) {
    return new EncodingStats(
        overwrites ? overwrittenMicros() : timestampMicros,
        // Cassandra does not read a base above 2³¹ s correctly.
        Math.min(nowSeconds, Integer.MAX_VALUE),
        ttlSeconds);
  }
}
