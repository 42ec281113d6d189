package io.siltstone.chunk;

import java.io.Closeable;
import java.io.IOException;

/**
 * The uncompressed bytes of one data file, chunk by chunk.
 *
 * <p>Confined to one thread. The caller that opens it closes it, which does not close its {@code
 * ChunkedFile}.
 */
public interface ChunkSource extends Closeable {

  /** Returns the full path of the data file, for messages. */
  String path();

  /** Returns the uncompressed length of the file in bytes. */
  long length();

  /** Returns the uncompressed bytes per chunk: a power of two. */
  int chunkLength();

  /** Returns the counters of its reads. */
  ChunkReads reads();

  /**
   * Copies uncompressed bytes from {@code position} on, up to the end of the chunk that contains
   * {@code position}.
   *
   * <p>A call at the beginning of a chunk with room for all of it decompresses straight into {@code
   * dst}; other calls may copy from a buffer that keeps the chunk, so that a chunk is fetched and
   * decompressed once, even if its bytes are read in many calls.
   *
   * @param position offset in the uncompressed file, 0 or more
   * @param dst receives the bytes
   * @param offset index of the first byte in {@code dst}
   * @param length room in {@code dst}, at least 1
   * @return bytes copied, at least 1; or -1 if {@code position} is at or after the end of the file
   * @throws io.siltstone.io.CorruptFileException if the chunk's checksum or content is wrong, with
   *     its offset in the file on disk
   */
  int read(long position, byte[] dst, int offset, int length) throws IOException;

  /**
   * Says where the next reads will end, so that no chunk needs to be decompressed beyond. It is a
   * hint: reads beyond it return the same bytes, but may take longer. Many sources ignore it.
   *
   * @param end asked for when the next chunk is decompressed, at most once; {@link
   *     ExpectedEnd#UNKNOWN} before the first call
   * @param isCertain whether reading will go on until there, so that two chunks can be read at once
   */
  default void expectEnd(ExpectedEnd end, boolean isCertain) {
    // Sources that read from front to back decompress all of their chunks.
  }

  /**
   * Releases the array that was read into last, before the source is unused for an unknown time.
   */
  default void releaseBuffers() {
    // Most sources keep no array.
  }
}
