package io.siltstone.cache;

/**
 * Which chunk: the number its cache has given to the open file, and the number of the chunk in it.
 *
 * <p>What is in the cache never changes. A reader keeps one of its own to look up with, so that a
 * look-up allocates nothing.
 */
class ChunkId {
  private final long file;
  private long chunk;

  ChunkId(long file, long chunk) {
    this.file = file;
    this.chunk = chunk;
  }

  /** Another chunk of the same file. Only for a reader's own. */
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
