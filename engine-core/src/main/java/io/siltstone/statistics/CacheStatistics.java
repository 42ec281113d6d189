package io.siltstone.statistics;

/**
 * The statistics of a cache since its creation.
 *
 * @param hits number of look-ups that found an entry
 * @param misses number of look-ups that did not
 * @param evictions number of evicted entries
 * @param entries approximate number of present entries
 * @param bytes present size: off-heap memory of a chunk cache, heap of a key cache
 * @param capacityBytes maximum size
 */
public record CacheStatistics(
    long hits, long misses, long evictions, long entries, long bytes, long capacityBytes) {

  /** Returns the share of hits in all look-ups, 0 to 1; 0 without look-ups. */
  public double hitRate() {
    long all = hits + misses;
    return all == 0 ? 0 : (double) hits / all;
  }
}
