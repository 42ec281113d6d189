package io.siltstone.cache;

import io.siltstone.chunk.ChunkSource;
import io.siltstone.chunk.ChunkedFile;
import io.siltstone.chunk.RandomChunks;
import java.io.Closeable;

/**
 * A data file whose chunks a {@link ChunkCache} keeps. Safe for use by all threads. The opener
 * closes it, after all of its sources and before the file; this removes the chunks.
 */
public final class CachedFile implements Closeable {
  private final ChunkCache cache;
  private final long number;
  private final ChunkedFile file;
  private final ChunkIndex chunks;
  private volatile boolean closed;

  CachedFile(ChunkCache cache, long number, ChunkedFile file) {
    this.cache = cache;
    this.number = number;
    this.file = file;
    this.chunks = new ChunkIndex(file.chunkCount());
  }

  /**
   * Opens a source for random reads, which copies bytes out of cached chunks, and reads a chunk by
   * one read of the file if it is not cached. The caller closes it.
   */
  public ChunkSource openRandom() {
    RandomChunks chunks = file.openRandom();
    return cache.isOff() ? chunks : new CachedChunks(cache, this, chunks);
  }

  /** Returns whether the cache keeps nothing: sources then read whole chunks. */
  public boolean isOff() {
    return cache.isOff();
  }

  /** Returns those of its chunks that are cached. */
  ChunkIndex chunks() {
    return chunks;
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
        cache.invalidate(this);
      }
    }
  }
}
