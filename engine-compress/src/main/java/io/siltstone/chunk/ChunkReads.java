package io.siltstone.chunk;

import org.jspecify.annotations.Nullable;

/**
 * Counters of the reads of one {@link ChunkSource}: chunks, bytes and cache hits.
 *
 * <p>Confined to the thread of its source.
 */
public final class ChunkReads {
  private long chunks;
  private long bytes;
  private long hits;
  private @Nullable ChunkListener watch;

  /** Creates counters that are zero. */
  public ChunkReads() {}

  /** Counts a chunk that was fetched from its file. */
  public void addRead(long bytesOnDisk) {
    chunks++;
    bytes += bytesOnDisk;
  }

  /**
   * Counts a chunk that a cache had.
   *
   * @param chunk its number, from 0 on
   */
  public void addHit(long chunk) {
    hits++;
    if (watch != null) {
      watch.hit(chunk);
    }
  }

  /** Reports each chunk to a listener from now on, or to none if it is null. */
  public void watch(@Nullable ChunkListener by) {
    watch = by;
  }

  @Nullable ChunkListener watch() {
    return watch;
  }

  /** Sets all counters to zero. */
  public void reset() {
    chunks = 0;
    bytes = 0;
    hits = 0;
  }

  /** Returns the number of chunks fetched from the file. */
  public long chunks() {
    return chunks;
  }

  /** Returns the stored bytes of those chunks, including checksums. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of cache hits. */
  public long hits() {
    return hits;
  }
}
