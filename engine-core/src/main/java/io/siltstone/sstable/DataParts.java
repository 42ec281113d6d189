package io.siltstone.sstable;

import io.siltstone.cache.CachedFile;
import io.siltstone.chunk.ChunkedFile;
import java.io.Closeable;
import java.io.IOException;

/**
 * The open data file of an SSTable with its chunks; the caller that takes it over closes it.
 *
 * @param file opened with the description of its chunks
 * @param cached its chunks in the cache
 */
record DataParts(ChunkedFile file, CachedFile cached) implements Closeable {

  @Override
  public void close() throws IOException {
    try (file) {
      cached.close();
    }
  }
}
