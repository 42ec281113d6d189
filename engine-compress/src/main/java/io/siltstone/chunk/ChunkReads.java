package io.siltstone.chunk;

/**
 * What the reads of one {@link ChunkSource} have cost.
 *
 * <p>Confined to the thread of its source.
 */
public final class ChunkReads {
  private long chunks;
  private long bytes;
  private long hits;

  /** All zero. */
  public ChunkReads() {}

  /** Counts a chunk that was fetched from its file. */
  public void addRead(long bytesOnDisk) {
    chunks++;
    bytes += bytesOnDisk;
  }

  /** Counts a chunk that a cache had. */
  public void addHit() {
    hits++;
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
