package io.siltstone.cache;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.RandomChunks;
import java.io.Closeable;

/**
 * A data file whose chunks a {@link ChunkCache} keeps. Safe for all threads; closed by its opener,
 * which removes the chunks, after all sources it gave out and before the file.
 */
public final class CachedFile implements Closeable {
  private final ChunkCache cache;
  private final long number;
  private final ChunkedFile file;
  private volatile boolean closed;

  CachedFile(ChunkCache cache, long number, ChunkedFile file) {
    this.cache = cache;
    this.number = number;
    this.file = file;
  }

  /**
   * Opens a source for reads at unpredictable places, which copies what is asked for out of cached
   * chunks, and fetches one chunk by one read of the file if it is not cached. The caller closes
   * it.
   */
  public ChunkSource openRandom() {
    RandomChunks chunks = file.openRandom();
    return cache.isOff() ? chunks : new CachedChunks(cache, this, chunks);
  }

  /** Returns whether the cache keeps nothing: sources then read whole chunks. */
  public boolean isOff() {
    return cache.isOff();
  }

  long number() {
    return number;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (!cache.isOff()) {
        cache.forget(number, file.chunkCount());
      }
    }
  }
}
