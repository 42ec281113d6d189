package io.siltstone.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The Zstandard compressor, which writes frames with a checksum. Source: Cassandra {@code
 * ZstdCompressor}. Needs zstd-jni on the class path.
 */
final class ZstdCompressor implements Compressor {
  static final String NAME = "ZstdCompressor";
  static final int DEFAULT_LEVEL = 3;

  private final ZstdCodec codec;

  ZstdCompressor(int level) {
    this.codec =
        new ZstdCodec(
            () -> new ZstdCompressCtx().setLevel(level).setChecksum(true), ZstdDecompressCtx::new);
    // The library is loaded now, so that a missing one is reported when the table is opened.
    Zstd.compressBound(1);
  }

  static int minLevel() {
    return Zstd.minCompressionLevel();
  }

  static int maxLevel() {
    return Zstd.maxCompressionLevel();
  }

  @Override
  public String className() {
    return NAME;
  }

  @Override
  public int maxCompressedLength(int length) {
    return (int) Zstd.compressBound(length);
  }

  @Override
  public int compress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.compress(src, dst);
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.decompress(src, dst);
  }

  @Override
  public void close() throws IOException {
    codec.close();
  }
}
