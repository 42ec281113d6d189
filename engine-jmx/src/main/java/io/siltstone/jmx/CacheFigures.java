package io.siltstone.jmx;

import io.siltstone.statistics.CacheStatistics;
import javax.management.ConstructorParameters;

/** The statistics of a cache since the database was opened, and its present size. Immutable. */
public final class CacheFigures {
  private final long hits;
  private final long misses;
  private final long evictions;
  private final long entries;
  private final long bytes;
  private final long capacityBytes;

  /** Takes the values; see the getters. */
  @ConstructorParameters({"hits", "misses", "evictions", "entries", "bytes", "capacityBytes"})
  public CacheFigures(
      long hits, long misses, long evictions, long entries, long bytes, long capacityBytes) {
    this.hits = hits;
    this.misses = misses;
    this.evictions = evictions;
    this.entries = entries;
    this.bytes = bytes;
    this.capacityBytes = capacityBytes;
  }

  static CacheFigures of(CacheStatistics cache) {
    return new CacheFigures(
        cache.hits(),
        cache.misses(),
        cache.evictions(),
        cache.entries(),
        cache.bytes(),
        cache.capacityBytes());
  }

  /** Returns the number of lookups that found an entry. */
  public long getHits() {
    return hits;
  }

  /** Returns the number of lookups that found none. */
  public long getMisses() {
    return misses;
  }

  /** Returns the number of evicted entries. */
  public long getEvictions() {
    return evictions;
  }

  /** Returns the approximate number of entries. */
  public long getEntries() {
    return entries;
  }

  /** Returns the size of the cache in bytes. */
  public long getBytes() {
    return bytes;
  }

  /** Returns the capacity of the cache in bytes; 0 if it is off. */
  public long getCapacityBytes() {
    return capacityBytes;
  }

  /** Returns hits by lookups, 0 to 1; 0 without lookups. */
  public double getHitRate() {
    long all = hits + misses;
    return all == 0 ? 0 : (double) hits / all;
  }
}
