package io.siltstone.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where partitions begin in the data of all tables, for point reads: a hit saves the search of
 * summary and index. On the heap, {@value KeyEntry#BYTES} bytes a key whatever the key's length.
 *
 * <p>Keys of a table that was closed are not searched out: nobody asks for them, so they are the
 * next to give way. Safe for all threads; needs no closing.
 */
public final class KeyCache {
  private final long capacityBytes;
  // Null if the cache is off.
  private final @Nullable Cache<KeyEntry, KeyEntry> keys;
  private final AtomicLong nextTable = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder evictions = new LongAdder();

  private KeyCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
    long most = capacityBytes / KeyEntry.BYTES;
    this.keys =
        most == 0
            ? null
            : Caffeine.newBuilder()
                .maximumSize(most)
                .removalListener(this::removed)
                .executor(Runnable::run)
                .build();
  }

  /**
   * A cache.
   *
   * @param capacityBytes of heap, 0 or more; one without room for a key is {@link #off}
   */
  public static KeyCache withCapacity(long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException(
          "key cache of " + capacityBytes + " bytes, allowed 0 and more");
    }
    return new KeyCache(capacityBytes);
  }

  /** A cache that keeps nothing. */
  public static KeyCache off() {
    return new KeyCache(0);
  }

  /** Whether it keeps nothing. */
  public boolean isOff() {
    return keys == null;
  }

  /** A number for a table that is opened, which no other table has or had. */
  public long newTable() {
    return nextTable.getAndIncrement();
  }

  /**
   * A reader's access.
   *
   * @param table from {@link #newTable}
   */
  public KeyLookup lookup(long table) {
    return new KeyLookup(this, table);
  }

  /** What it has done, and holds now. */
  public CacheStatistics statistics() {
    long entries = keys == null ? 0 : keys.estimatedSize();
    return new CacheStatistics(
        hits.sum(),
        misses.sum(),
        evictions.sum(),
        entries,
        entries * KeyEntry.BYTES,
        capacityBytes);
  }

  @Nullable KeyEntry find(KeyEntry wanted) {
    if (keys == null) {
      return null;
    }
    KeyEntry found = keys.getIfPresent(wanted);
    (found == null ? misses : hits).increment();
    return found;
  }

  void add(KeyEntry entry) {
    if (keys != null) {
      keys.put(entry, entry);
    }
  }

  private void removed(@Nullable KeyEntry key, @Nullable KeyEntry value, RemovalCause cause) {
    if (cause.wasEvicted()) {
      evictions.increment();
    }
  }
}
