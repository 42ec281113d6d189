package io.siltstone.chunk;

/** Is told of each chunk that a {@link ChunkSource} looks for, on the source's thread. */
public interface ChunkListener {
  /**
   * A chunk was fetched from its file and decompressed.
   *
   * @param chunk its number, from 0 on
   * @param offset where it begins in the file
   * @param bytes that it takes there, checksum included
   * @param nanos that it took
   */
  void fetched(long chunk, long offset, int bytes, long nanos);

  /** A cache had the chunk. */
  void hit(long chunk);
}
