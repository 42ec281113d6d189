package io.siltstone.cache;

/**
 * The key of a chunk in the chunk cache: the number that the cache gave to the open file, and the
 * number of the chunk in it.
 *
 * <p>Keys in the cache never change. A reader has one of its own for look-ups, so that a look-up
 * allocates nothing.
 */
class ChunkId {
  private final long file;
  private long chunk;

  ChunkId(long file, long chunk) {
    this.file = file;
    this.chunk = chunk;
  }

  /** Changes a reader's own key to another chunk of the same file. */
  final ChunkId turnTo(long otherChunk) {
    chunk = otherChunk;
    return this;
  }

  final long file() {
    return file;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof ChunkId id && id.chunk == chunk && id.file == file;
  }

  @Override
  public final int hashCode() {
    long mixed = (file * 0x9e37_79b9_7f4a_7c15L + chunk) * 0xc2b2_ae3d_27d4_eb4fL;
    return (int) (mixed ^ mixed >>> 32);
  }
}
