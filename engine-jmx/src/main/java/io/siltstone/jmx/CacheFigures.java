package io.siltstone.jmx;

import io.siltstone.statistics.CacheStatistics;
import javax.management.ConstructorParameters;

/** What a cache has done since the database was opened, and holds now. Immutable. */
public final class CacheFigures {
  private final long hits;
  private final long misses;
  private final long evictions;
  private final long entries;
  private final long bytes;
  private final long capacityBytes;

  /** Of these values; see the getters. */
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

  /** Look-ups that found what they wanted. */
  public long getHits() {
    return hits;
  }

  /** Look-ups that did not. */
  public long getMisses() {
    return misses;
  }

  /** Entries that gave way to others. */
  public long getEvictions() {
    return evictions;
  }

  /** Entries that it holds, about. */
  public long getEntries() {
    return entries;
  }

  /** Bytes that it takes. */
  public long getBytes() {
    return bytes;
  }

  /** Bytes that it may take; 0 if it is off. */
  public long getCapacityBytes() {
    return capacityBytes;
  }

  /** Hits in all look-ups, 0 to 1; 0 without look-ups. */
  public double getHitRate() {
    long all = hits + misses;
    return all == 0 ? 0 : (double) hits / all;
  }
}
