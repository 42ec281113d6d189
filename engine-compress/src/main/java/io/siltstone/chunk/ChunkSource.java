package io.siltstone.chunk;

import java.io.Closeable;
import java.io.IOException;

/**
 * The uncompressed bytes of one data file, chunk by chunk.
 *
 * <p>Confined to one thread. Closed by its opener; closing it leaves the {@code ChunkedFile} it was
 * opened on open.
 */
public interface ChunkSource extends Closeable {

  /** Full path of the data file, for messages. */
  String path();

  /** Uncompressed length of the file in bytes. */
  long length();

  /** Uncompressed bytes per chunk: a power of two. */
  int chunkLength();

  /** What its reads have cost since they were last set to zero. */
  ChunkReads reads();

  /**
   * Copies uncompressed bytes from {@code position} on, never past the end of the chunk that {@code
   * position} lies in.
   *
   * <p>A call at the beginning of a chunk with room for all of it decompresses straight into {@code
   * dst}; other calls may copy from a buffer that keeps the chunk, so that a chunk is fetched and
   * decompressed once however often neighbouring bytes of it are asked for.
   *
   * @param position offset in the uncompressed file, 0 or more
   * @param dst where the bytes go
   * @param offset index of the first
   * @param length room in {@code dst}, at least 1
   * @return bytes copied, at least 1; or -1 if {@code position} is at or behind the end of the file
   * @throws io.siltstone.io.CorruptFileException if the chunk's checksum or content is wrong, with
   *     its offset in the file on disk
   */
  int read(long position, byte[] dst, int offset, int length) throws IOException;

  /** Lets go of the array that was read into last, for a rest of unknown length. */
  default void rest() {
    // Most keep none.
  }
}
