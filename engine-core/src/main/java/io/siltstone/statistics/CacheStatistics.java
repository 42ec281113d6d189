package io.siltstone.statistics;

/**
 * What a cache has done since it was made, and holds now.
 *
 * @param hits look-ups that found what they wanted
 * @param misses look-ups that did not
 * @param evictions entries that gave way to others
 * @param entries it holds, about
 * @param bytes it takes: of a chunk cache the off-heap memory, of a key cache the heap
 * @param capacityBytes what it may take
 */
public record CacheStatistics(
    long hits, long misses, long evictions, long entries, long bytes, long capacityBytes) {

  /** Hits in all look-ups, 0 to 1; 0 without look-ups. */
  public double hitRate() {
    long all = hits + misses;
    return all == 0 ? 0 : (double) hits / all;
  }
}
