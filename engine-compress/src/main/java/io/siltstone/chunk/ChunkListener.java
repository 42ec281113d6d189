package io.siltstone.chunk;

/** Receives each chunk that a {@link ChunkSource} looks up, on the thread of the source. */
public interface ChunkListener {
  /**
   * Called after a chunk was fetched from its file and decompressed.
   *
   * @param chunk its number, from 0 on
   * @param offset position of the chunk in the file
   * @param bytes stored length, including the checksum
   * @param nanos duration of both steps
   */
  void fetched(long chunk, long offset, int bytes, long nanos);

  /** Called when a cache had the chunk. */
  void hit(long chunk);
}
