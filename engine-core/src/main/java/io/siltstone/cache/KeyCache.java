package io.siltstone.cache;

import io.siltstone.statistics.CacheStatistics;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The key cache: positions of partitions in the data of all tables, for point reads. A hit saves
 * the search of summary and index. It is on the heap, in a few arrays of numbers, with 16 bytes per
 * key whatever the key's length; the arrays grow with the keys up to the capacity.
 *
 * <p>Keys that are found often stay. Keys of a closed table are not removed, but no longer found,
 * so that they are evicted. Safe for use by all threads; look-ups take no lock. There is nothing to
 * close.
 */
public final class KeyCache {
  private static final int MOST_SEGMENTS = 64;
  private static final long SET_BYTES = (long) KeySegment.WAYS * KeySegment.SLOT_BYTES;

  // The length of an array is an int.
  private static final long MOST_SETS = Integer.MAX_VALUE / (2 * KeySegment.WAYS) - 1;

  private final long capacityBytes;
  // Their number is a power of two; 0 if the cache is off.
  private final KeySegment[] segments;
  private final AtomicLong nextTable = new AtomicLong();
  private final HitCounts counts = new HitCounts();

  private KeyCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
    long sets = capacityBytes / SET_BYTES;
    int count = (int) Math.min(MOST_SEGMENTS, Long.highestOneBit(sets));
    this.segments = new KeySegment[count];
    for (int i = 0; i < count; i++) {
      segments[i] = new KeySegment((int) Math.min(MOST_SETS, sets / count));
    }
  }

  /**
   * Returns a cache.
   *
   * @param capacityBytes of heap, 0 or more; one of less than 128 bytes is {@link #off}
   */
  public static KeyCache withCapacity(long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "key cache of " + capacityBytes + " bytes, allowed 0 or more");
    }
    return new KeyCache(capacityBytes);
  }

  /** Returns a cache that keeps nothing. */
  public static KeyCache off() {
    return new KeyCache(0);
  }

  /** Returns whether it keeps nothing. */
  public boolean isOff() {
    return segments.length == 0;
  }

  /** Returns a number for a table that is opened, which no other table has or had. */
  public long newTable() {
    return nextTable.getAndIncrement();
  }

  /**
   * Returns a reader's access, to be closed by the caller.
   *
   * @param table from {@link #newTable}
   */
  public KeyLookup lookup(long table) {
    return new KeyLookup(this, table, counts.open());
  }

  /** Returns what it has done, and holds now. */
  public CacheStatistics statistics() {
    long entries = 0;
    long evictions = 0;
    long bytes = 0;
    for (KeySegment segment : segments) {
      entries += segment.entries();
      evictions += segment.evictions();
      bytes += segment.bytes();
    }
    return new CacheStatistics(
        counts.hits(), counts.misses(), evictions, entries, bytes, capacityBytes);
  }

  /** Returns the place of a key, or {@link KeySegment#NONE}. */
  long find(long tag) {
    return segment(tag).find(tag);
  }

  void add(long tag, long place) {
    segment(tag).add(tag, place);
  }

  private KeySegment segment(long tag) {
    return segments[(int) tag & (segments.length - 1)];
  }
}
