package io.siltstone.cache;

/**
 * One reader's access to the {@link KeyCache}. Keys are identified by 64 bits of their hash and
 * table. A position that is found is therefore very likely that of the key; the reader verifies it
 * there.
 *
 * <p>A place is a position in the data file, and about how long the partition is if that is known.
 * For a partition whose index entry has blocks it is the position of this entry in the index.
 *
 * <p>Confined to one thread. Closing it ends its part in the statistics. Allocates nothing.
 */
public final class KeyLookup implements AutoCloseable {
  // The bits above those of the segment: whether it is the position of an index entry, then one
  // that is always set.
  private static final long IS_ENTRY = 1L << KeySegment.COUNT_BITS;
  private static final long IS_PLACE = IS_ENTRY << 1;
  private static final int LENGTH_SHIFT = KeySegment.COUNT_BITS + 2;
  private static final int LENGTH_BITS = 13;
  private static final int MANTISSA_BITS = 8;
  private static final int MANTISSA_MASK = (1 << MANTISSA_BITS) - 1;
  private static final long MOST_LENGTH =
      (long) MANTISSA_MASK << ((1 << (LENGTH_BITS - MANTISSA_BITS)) - 1);
  private static final int POSITION_SHIFT = LENGTH_SHIFT + LENGTH_BITS;
  // No file is so long.
  private static final int POSITION_BITS = Long.SIZE - POSITION_SHIFT;

  /** The length of a partition that is not known. */
  public static final long UNKNOWN = 0;

  private final KeyCache cache;
  private final long table;
  private final HitCounts.Counter counter;
  private long found;

  KeyLookup(KeyCache cache, long table, HitCounts.Counter counter) {
    this.cache = cache;
    this.counter = counter;
    this.table = mix(table + 1);
  }

  /** Mixes bits, so that each bit of the result depends on each bit of the input. */
  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ mixed >>> 31;
  }

  private long tag(long h1, long h2) {
    return mix(mix(h1 ^ table) ^ h2);
  }

  /** Returns whether the cache keeps nothing. */
  public boolean isOff() {
    return cache.isOff();
  }

  /**
   * Looks a key up.
   *
   * @param h1 first half of the key's hash
   * @param h2 second half of the key's hash
   * @return whether a place is known
   */
  public boolean find(long h1, long h2) {
    if (cache.isOff()) {
      return false;
    }
    found = cache.find(tag(h1, h2));
    if (found == KeySegment.NONE) {
      counter.addMiss();
      return false;
    }
    counter.addHit();
    return true;
  }

  /** Returns whether the place that {@link #find} found is that of an entry in the index. */
  public boolean isOfEntry() {
    return (found() & IS_ENTRY) != 0;
  }

  /** Returns the position in the data, or in the index; after {@link #find} has found it. */
  public long position() {
    return found() >>> POSITION_SHIFT;
  }

  /**
   * Returns the length of the partition whose position in the data {@link #find} has found, rounded
   * up by less than a hundredth; {@link #UNKNOWN} if it is not known.
   */
  public long length() {
    int code = (int) (found() >>> LENGTH_SHIFT) & ((1 << LENGTH_BITS) - 1);
    return (long) (code & MANTISSA_MASK) << (code >>> MANTISSA_BITS);
  }

  /** Returns a length in few bits: a mantissa, and above it by how many bits it is shifted. */
  private static long lengthCode(long length) {
    if (length <= 0 || length > MOST_LENGTH) {
      return UNKNOWN;
    }
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(length) - MANTISSA_BITS);
    long mantissa = shifted(length, shift);
    if (mantissa > MANTISSA_MASK) {
      // It was rounded up to the next power of two.
      mantissa = shifted(length, ++shift);
    }
    return (long) shift << MANTISSA_BITS | mantissa;
  }

  private static long shifted(long length, int shift) {
    return (length + (1L << shift) - 1) >>> shift;
  }

  private long found() {
    if (found == KeySegment.NONE) {
      throw new IllegalStateException("no key has been found");
    }
    return found;
  }

  /**
   * Adds the position of a key's partition in the data, which the caller has verified.
   *
   * @param length of the partition in the data; {@link #UNKNOWN}, or any length that is not
   *     possible, if it is not known
   */
  public void addPartition(long h1, long h2, long position, long length) {
    add(h1, h2, position, IS_PLACE | lengthCode(length) << LENGTH_SHIFT);
  }

  /** Adds the position of a key's entry in the index, which the caller has verified. */
  public void addEntry(long h1, long h2, long position) {
    add(h1, h2, position, IS_PLACE | IS_ENTRY);
  }

  private void add(long h1, long h2, long position, long bits) {
    if (!cache.isOff() && position >>> POSITION_BITS == 0) {
      cache.add(tag(h1, h2), position << POSITION_SHIFT | bits);
    }
  }

  /** Ends its part in the statistics, which keep what it has counted. */
  @Override
  public void close() {
    counter.close();
  }
}
