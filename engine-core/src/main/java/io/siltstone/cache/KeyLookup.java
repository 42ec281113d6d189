package io.siltstone.cache;

import org.jspecify.annotations.Nullable;

/**
 * One reader's access to the {@link KeyCache}. Keys are given by their 128-bit hash, so that what
 * is found is a place where the key very likely is: the reader proves it there.
 *
 * <p>Confined to one thread; needs no closing. Looking up allocates nothing.
 */
public final class KeyLookup {
  /** {@link #entryPosition} of a partition whose index entry has no blocks. */
  public static final long NO_BLOCKS = -1;

  private final KeyCache cache;
  private final KeyEntry wanted;
  private @Nullable KeyEntry found;

  KeyLookup(KeyCache cache, long table) {
    this.cache = cache;
    this.wanted = new KeyEntry(table);
  }

  /**
   * Looks a key up.
   *
   * @param h1 first half of the key's hash
   * @param h2 second half of the key's hash
   * @return whether the position is known
   */
  public boolean find(long h1, long h2) {
    wanted.h1 = h1;
    wanted.h2 = h2;
    found = cache.find(wanted);
    return found != null;
  }

  /** Where the partition begins in the uncompressed data; after {@link #find} has found it. */
  public long dataPosition() {
    return found().dataPosition;
  }

  /**
   * Where its entry begins in the index file, or {@link #NO_BLOCKS}; after {@link #find} has found
   * it.
   */
  public long entryPosition() {
    return found().entryPosition;
  }

  private KeyEntry found() {
    if (found == null) {
      throw new IllegalStateException("no key has been found");
    }
    return found;
  }

  /**
   * Keeps the position of a key, which the caller has proved.
   *
   * @param entryPosition where the index entry begins, or {@link #NO_BLOCKS}
   */
  public void add(long h1, long h2, long dataPosition, long entryPosition) {
    if (cache.isOff()) {
      return;
    }
    KeyEntry entry = new KeyEntry(wanted.table);
    entry.h1 = h1;
    entry.h2 = h2;
    entry.dataPosition = dataPosition;
    entry.entryPosition = entryPosition;
    cache.add(entry);
  }
}
