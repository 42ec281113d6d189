package io.siltstone.cache;

/**
 * The sampling of hits: decides which hits of one reader are recorded with the eviction policy of
 * the chunk cache. To record a hit takes longer than to find the chunk, and readers that record
 * wait for each other.
 *
 * <p>While the cache evicts, the policy has to know what is read: the next 16 hits of a reader
 * after an eviction by any reader are all recorded. A reader that finds no eviction meanwhile
 * records one hit in 64, at random distances, since a reader may read the same chunks in turn. An
 * example, with the evictions so far as a reader sees them at its hits:
 *
 * <pre>
 *   hit         1 ... 400   401 ... 416   417 ... 1000
 *   evictions   7             8             8
 *   recorded    1 in 64       all           1 in 64
 * </pre>
 *
 * <p>Confined to one thread.
 */
final class HitSampling {
  /** How many hits of a reader are all recorded after an eviction. */
  static final int RECORDED_AFTER_EVICTION = 16;

  /** The mean number of hits of which one is recorded while nothing is evicted. */
  static final int RECORDED_ONE_IN = 64;

  // From Knuth's linear congruential generator.
  private static final int FACTOR = 0x5851_f42d;
  private static final int SUMMAND = 0x14057b7f | 1;
  private static final int DISTANCE_BITS = Integer.numberOfTrailingZeros(2 * RECORDED_ONE_IN);

  private int random;
  private long seen;
  // Hits that are all recorded, and then hits until the next one that is.
  private int all;
  private int distance;

  /**
   * Creates a sampling.
   *
   * @param seed of the distances
   * @param evictions of the cache so far
   */
  HitSampling(int seed, long evictions) {
    random = seed;
    seen = evictions;
    draw();
  }

  /**
   * Returns whether the next hit is recorded.
   *
   * @param evictions of the cache so far
   */
  boolean isRecorded(long evictions) {
    if (evictions != seen) {
      seen = evictions;
      all = RECORDED_AFTER_EVICTION;
    }
    if (all > 0) {
      all--;
      return true;
    }
    if (--distance > 0) {
      return false;
    }
    draw();
    return true;
  }

  /** Draws a distance from 1 to 127, in the mean 64. */
  private void draw() {
    do {
      random = random * FACTOR + SUMMAND;
      distance = random >>> (Integer.SIZE - DISTANCE_BITS);
    } while (distance == 0);
  }
}
