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

  /** Cassandra's simple class name, e.g. {@code LZ4Compressor}. */
  String className();

  /** Most bytes that compressing {@code length} bytes can give. */
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
   * advance. Never writes beyond the limit of {@code dst}, whatever the input says.
   *
   * @return the uncompressed length
   * @throws IOException if the input is not what this compressor writes, or does not fit; the
   *     caller knows the place
   */
  int decompress(ByteBuffer src, ByteBuffer dst) throws IOException;
}
