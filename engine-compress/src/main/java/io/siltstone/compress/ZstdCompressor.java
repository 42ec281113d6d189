package io.siltstone.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The Zstandard compressor, which writes frames with a checksum. Source: Cassandra {@code
 * ZstdCompressor}. Needs zstd-jni on the class path.
 */
final class ZstdCompressor implements Compressor {
  static final String NAME = "ZstdCompressor";
  static final int DEFAULT_LEVEL = 3;

  private final ArrayCodec codec = new ArrayCodec();
  private final ArrayCodec.Operation compress;
  private final ArrayCodec.Operation decompress = new Decompress();

  ZstdCompressor(int level) {
    this.compress = new Compress(level);
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
    return codec.run(compress, src, dst);
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.run(decompress, src, dst);
  }

  private static int checked(long result) throws IOException {
    if (Zstd.isError(result)) {
      throw new IOException("Zstd: " + Zstd.getErrorName(result));
    }
    return (int) result;
  }

  private record Compress(int level) implements ArrayCodec.Operation {
    @Override
    public int direct(ByteBuffer src, ByteBuffer dst) throws IOException {
      return checked(
          Zstd.compressDirectByteBuffer(
              dst,
              dst.position(),
              dst.remaining(),
              src,
              src.position(),
              src.remaining(),
              level,
              true));
    }

    @Override
    public int arrays(
        byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException {
      return checked(
          Zstd.compressByteArray(
              dst, dstOffset, dstLength, src, srcOffset, srcLength, level, true));
    }
  }

  private static final class Decompress implements ArrayCodec.Operation {
    @Override
    public int direct(ByteBuffer src, ByteBuffer dst) throws IOException {
      try {
        return checked(
            Zstd.decompressDirectByteBuffer(
                dst, dst.position(), dst.remaining(), src, src.position(), src.remaining()));
      } catch (ZstdException e) {
        throw new IOException("Zstd: " + e.getMessage(), e);
      }
    }

    @Override
    public int arrays(
        byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException {
      try {
        return checked(
            Zstd.decompressByteArray(dst, dstOffset, dstLength, src, srcOffset, srcLength));
      } catch (ZstdException e) {
        throw new IOException("Zstd: " + e.getMessage(), e);
      }
    }
  }
}
