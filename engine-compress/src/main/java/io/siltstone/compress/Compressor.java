package io.siltstone.compress;

import io.siltstone.annotation.Expert;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and decompresses one chunk at a time, in the byte form that Cassandra's compressor of
 * the same class name writes.
 *
 * <p>Safe for all threads. The owner closes it, after the last use.
 */
@Expert
public interface Compressor extends Closeable {

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

  /**
   * Returns a decompressor of the beginnings of chunks, for one thread; or null if that would take
   * as long as the whole chunk, which then has to be {@linkplain #decompress decompressed}.
   */
  default @Nullable PrefixDecompressor prefixDecompressor() {
    return null;
  }

  /** Frees native memory, if the compressor has any. */
  @Override
  default void close() throws IOException {}

  /**
   * Decompresses the first bytes of a chunk, which takes less time than all of it.
   *
   * <p>Confined to one thread; there is nothing to close.
   */
  interface PrefixDecompressor {
    /**
     * Decompresses the first bytes of a chunk to the beginning of an array. Does not change the
     * buffer, and writes nothing after the bytes that are wanted.
     *
     * @param src a direct buffer, whose remaining bytes are the chunk
     * @param dst has room for the whole chunk
     * @param wanted how many bytes, 0 to {@code length}
     * @param length the uncompressed length of the whole chunk
     * @return {@code wanted}
     * @throws IOException if the input was not written by this compressor, or has another length;
     *     what lies after the wanted bytes is not looked at
     */
    int decompress(ByteBuffer src, byte[] dst, int wanted, int length) throws IOException;
  }
}
