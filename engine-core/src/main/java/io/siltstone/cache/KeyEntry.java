package io.siltstone.cache;

/**
 * Where a partition of a table is. What is in the cache never changes; a {@link KeyLookup} has one
 * of its own to look up with. Table and hash alone make it equal to another.
 */
final class KeyEntry {
  /** Bytes of heap that an entry takes: this, Caffeine's node, its map's node, its sketch. */
  static final int BYTES = 144;

  final long table;
  long h1;
  long h2;
  long dataPosition;
  long entryPosition;

  KeyEntry(long table) {
    this.table = table;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyEntry entry
        && entry.h1 == h1
        && entry.h2 == h2
        && entry.table == table;
  }

  @Override
  public int hashCode() {
    long mixed = (table * 0x9e37_79b9_7f4a_7c15L) ^ h1;
    return (int) (mixed ^ mixed >>> 32);
  }
}
