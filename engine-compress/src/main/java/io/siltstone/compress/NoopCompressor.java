package io.siltstone.compress;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Stores chunks uncompressed, with the checksums and offsets of compressed files. Source: Cassandra
 * {@code NoopCompressor}.
 */
final class NoopCompressor implements Compressor {
  static final String NAME = "NoopCompressor";

  @Override
  public String className() {
    return NAME;
  }

  @Override
  public int maxCompressedLength(int length) {
    return length;
  }

  @Override
  public int compress(ByteBuffer src, ByteBuffer dst) {
    int length = src.remaining();
    dst.put(src);
    return length;
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    int length = src.remaining();
    if (length > dst.remaining()) {
      throw new IOException("chunk of " + length + " bytes, allowed 0 to " + dst.remaining());
    }
    dst.put(src);
    return length;
  }
}
