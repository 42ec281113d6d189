package io.siltstone.cache;

/**
 * The caches that point reads of a table go through. Immutable; the caches stay their owner's.
 *
 * @param chunks of decompressed chunks
 * @param keys of positions of partitions
 */
public record ReadCaches(ChunkCache chunks, KeyCache keys) {
  /** Without any: every read is of the file. */
  public static final ReadCaches NONE = new ReadCaches(ChunkCache.off(), KeyCache.off());

  /** For tables with {@code caching = {'keys': 'NONE'}}. */
  public ReadCaches withoutKeys() {
    return new ReadCaches(chunks, KeyCache.off());
  }
}
