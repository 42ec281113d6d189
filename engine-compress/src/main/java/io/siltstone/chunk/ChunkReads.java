package io.siltstone.chunk;

import org.jspecify.annotations.Nullable;

/**
 * What the reads of one {@link ChunkSource} have cost.
 *
 * <p>Confined to the thread of its source.
 */
public final class ChunkReads {
  private long chunks;
  private long bytes;
  private long hits;
  private @Nullable ChunkListener watch;

  /** All zero. */
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

  /** Tells somebody of each chunk from now on, or nobody. */
  public void watch(@Nullable ChunkListener by) {
    watch = by;
  }

  @Nullable ChunkListener watch() {
    return watch;
  }

  /** Begins anew at zero. */
  public void reset() {
    chunks = 0;
    bytes = 0;
    hits = 0;
  }

  /** Chunks fetched from the file. */
  public long chunks() {
    return chunks;
  }

  /** Bytes of those chunks on disk, checksums included. */
  public long bytes() {
    return bytes;
  }

  /** Times that a cache had the chunk. */
  public long hits() {
    return hits;
  }
}
