package io.siltstone.cache;

/**
 * Cache admission: admits a key at its second miss. It remembers recent misses in a table of
 * hashes, each in its only possible slot until another hash replaces it. It may confuse keys of the
 * same hash, and may forget one early.
 *
 * <p>Safe for use by all threads, without a lock: a race loses at most one hash, which comes again.
 */
final class AdmissionFilter {
  private static final int LEAST = 64;
  private static final int MOST = 1 << 24;
  // 2^32 divided by the golden ratio: spreads hashes over their upper bits.
  private static final int SPREAD = 0x9e37_79b9;

  private final int size;
  private final int shift;
  // Empty until the cache is full, which that of a short-lived database never is. Two threads may
  // replace it at once: then some hashes are forgotten.
  private volatile int[] hashes = {};

  private AdmissionFilter(int size) {
    this.size = size;
    this.shift = Integer.SIZE - Integer.numberOfTrailingZeros(size);
  }

  /** Creates a filter that remembers about a given number of misses. */
  static AdmissionFilter amongLast(long count) {
    int size = (int) Math.min(MOST, Math.max(LEAST, count));
    return new AdmissionFilter(Integer.highestOneBit(2 * size - 1));
  }

  /** Returns whether a hash is remembered, and forgets it; remembers it otherwise. */
  boolean test(int hash) {
    // 0 is an empty slot.
    int key = hash == 0 ? 1 : hash;
    int at = (key * SPREAD) >>> shift;
    int[] all = hashes;
    if (all.length == 0) {
      all = new int[size];
      hashes = all;
    }
    if (all[at] == key) {
      all[at] = 0;
      return true;
    }
    all[at] = key;
    return false;
  }
}
