package io.siltstone.cache;

/**
 * The caches for point reads of a table. Immutable; it does not own the caches.
 *
 * @param chunks of decompressed chunks
 * @param keys of positions of partitions
 */
public record ReadCaches(ChunkCache chunks, KeyCache keys) {
  /** No caches: every read goes to the file. */
  public static final ReadCaches NONE = new ReadCaches(ChunkCache.off(), KeyCache.off());

  /**
   * Returns the caches without the key cache, for tables with {@code caching = {'keys': 'NONE'}}.
   */
  public ReadCaches withoutKeys() {
    return new ReadCaches(chunks, KeyCache.off());
  }
}
