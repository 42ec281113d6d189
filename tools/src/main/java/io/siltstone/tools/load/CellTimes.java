package io.siltstone.tools.load;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;

/**
 * What all cells of a load share.
 *
 * @param timestampMicros of each cell
 * @param ttlSeconds of each cell, 0 without
 * @param nowSeconds when the load runs, in seconds since 1970: the time of tombstones, and from
 *     which TTLs count
 */
record CellTimes(long timestampMicros, int ttlSeconds, long nowSeconds) {

  /** When cells expire, {@link DeletionTime#NO_DELETION_TIME} if never. */
  long expirationSeconds() {
    return ttlSeconds == 0 ? DeletionTime.NO_DELETION_TIME : nowSeconds + ttlSeconds;
  }

  /** Timestamp of what a collection was before it is written as a whole. */
  long overwrittenMicros() {
    return timestampMicros - 1;
  }

  /** The delta bases of a table with such cells. */
  EncodingStats stats(boolean overwrites) {
    return new EncodingStats(
        overwrites ? overwrittenMicros() : timestampMicros,
        // What lies above 2³¹ s Cassandra does not read rightly as a base.
        Math.min(nowSeconds, Integer.MAX_VALUE),
        ttlSeconds);
  }
}
