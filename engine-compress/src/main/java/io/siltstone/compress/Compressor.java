package io.siltstone.compress;

import io.siltstone.annotation.Expert;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Compresses and decompresses one chunk at a time, in the byte form that Cassandra's compressor of
 * the same class name writes.
 *
 * <p>Safe for all threads.
 */
@Expert
public interface Compressor {

  /** Returns Cassandra's simple class name, e.g. {@code LZ4Compressor}. */
  String className();

  /** Returns the maximum compressed length of {@code length} bytes. */
  int maxCompressedLength(int length);

  /**
   * Compresses all remaining bytes of {@code src} to the position of {@code dst}, which needs
   * {@link #maxCompressedLength} bytes of room. Both positions advance. Buffers may be direct or
   * backed by arrays.
   *
   * @return the compressed length
   */
  int compress(ByteBuffer src, ByteBuffer dst) throws IOException;

  /**
   * Decompresses all remaining bytes of {@code src} to the position of {@code dst}. Both positions
   * advance. Never writes beyond the limit of {@code dst}, even if the input is damaged.
   *
   * @return the uncompressed length
   * @throws IOException if the input was not written by this compressor, or does not fit; the
   *     caller adds the file and position
   */
  int decompress(ByteBuffer src, ByteBuffer dst) throws IOException;
}
