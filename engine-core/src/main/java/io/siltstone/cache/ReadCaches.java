package io.siltstone.cache;

import io.siltstone.chunk.SharedCompressors;
import io.siltstone.offheap.MemoryBudget;
import org.jspecify.annotations.Nullable;

/**
 * The caches for point reads of a table, and the compressors that its SSTables share. Immutable; it
 * does not own the caches.
 *
 * @param chunks of decompressed chunks
 * @param keys of positions of partitions
 * @param compressors with compression dictionaries; null if each SSTable prepares its own
 */
public record ReadCaches(
    ChunkCache chunks, KeyCache keys, @Nullable SharedCompressors compressors) {
  /** No caches: every read goes to the file. */
  public static final ReadCaches NONE = new ReadCaches(ChunkCache.off(), KeyCache.off());

  /**
   * Returns caches for the SSTables of a database, which share compressors.
   *
   * @param budget of the compressors' native memory
   */
  public static ReadCaches of(ChunkCache chunks, KeyCache keys, MemoryBudget budget) {
    return new ReadCaches(chunks, keys, new SharedCompressors(budget));
  }

  /** Creates caches for SSTables that share no compressors. */
  public ReadCaches(ChunkCache chunks, KeyCache keys) {
    this(chunks, keys, null);
  }

  /**
   * Returns the caches without the key cache, for tables with {@code caching = {'keys': 'NONE'}}.
   */
  public ReadCaches withoutKeys() {
    return new ReadCaches(chunks, KeyCache.off(), compressors);
  }
}
