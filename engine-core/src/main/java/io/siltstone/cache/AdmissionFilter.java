package io.siltstone.cache;

/**
 * Tells what comes for the second time: a table of hashes, each in the one place where it can be,
 * until another one comes that belongs there. It may take one for another of the same hash, and may
 * forget one early.
 *
 * <p>Safe for all threads, without a lock: what is lost when two meet is a hash that comes again.
 */
final class AdmissionFilter {
  private static final int LEAST = 64;
  private static final int MOST = 1 << 24;
  // 2^32 divided by the golden ratio: spreads hashes over their upper bits.
  private static final int SPREAD = 0x9e37_79b9;

  private final int[] hashes;
  private final int shift;

  private AdmissionFilter(int[] hashes) {
    this.hashes = hashes;
    this.shift = Integer.SIZE - Integer.numberOfTrailingZeros(hashes.length);
  }

  /** That remembers about as many as that. */
  static AdmissionFilter amongLast(long count) {
    int size = (int) Math.min(MOST, Math.max(LEAST, count));
    return new AdmissionFilter(new int[Integer.highestOneBit(2 * size - 1)]);
  }

  /** Returns whether it has come before, and not been forgotten since; then it is forgotten now. */
  boolean test(int hash) {
    // 0 stands for nothing.
    int key = hash == 0 ? 1 : hash;
    int at = (key * SPREAD) >>> shift;
    if (hashes[at] == key) {
      hashes[at] = 0;
      return true;
    }
    hashes[at] = key;
    return false;
  }
}
