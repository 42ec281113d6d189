package io.siltstone.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/**
 * LZ4 in Cassandra's format: the uncompressed length as a little-endian int, then one LZ4 block.
 *
 * <p>Uses the native library if it can be loaded, otherwise Java; and only the decompressor that
 * checks its bounds. Source: Cassandra {@code LZ4Compressor}.
 */
final class Lz4Compressor implements Compressor {
  static final String NAME = "LZ4Compressor";
  static final int LENGTH_BYTES = 4;

  private final LZ4Compressor compressor;
  private final LZ4SafeDecompressor decompressor;

  private Lz4Compressor(LZ4Factory factory, LZ4Compressor compressor) {
    this.compressor = compressor;
    this.decompressor = factory.safeDecompressor();
  }

  static Lz4Compressor fast() {
    LZ4Factory factory = factory();
    return new Lz4Compressor(factory, factory.fastCompressor());
  }

  static Lz4Compressor high(int level) {
    LZ4Factory factory = factory();
    return new Lz4Compressor(factory, factory.highCompressor(level));
  }

  /**
   * Returns the library's factory: the native one, or else the Java one without the memory access
   * of which newer JVMs warn.
   */
  static LZ4Factory factory() {
    try {
      return LZ4Factory.nativeInstance();
    } catch (LinkageError | RuntimeException e) {
      return Runtime.version().feature() < 24
          ? LZ4Factory.fastestJavaInstance()
          : LZ4Factory.safeInstance();
    }
  }

  @Override
  public String className() {
    return NAME;
  }

  @Override
  public int maxCompressedLength(int length) {
    return LENGTH_BYTES + compressor.maxCompressedLength(length);
  }

  @Override
  public int compress(ByteBuffer src, ByteBuffer dst) throws IOException {
    int length = src.remaining();
    int at = dst.position();
    for (int i = 0; i < LENGTH_BYTES; i++) {
      dst.put(at + i, (byte) (length >>> (8 * i)));
    }
    try {
      int block =
          compressor.compress(
              src, src.position(), length, dst, at + LENGTH_BYTES, dst.remaining() - LENGTH_BYTES);
      src.position(src.limit());
      dst.position(at + LENGTH_BYTES + block);
      return LENGTH_BYTES + block;
    } catch (LZ4Exception e) {
      throw new IOException("LZ4: " + e.getMessage(), e);
    }
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    int at = src.position();
    int length = statedLength(src, dst.remaining());
    try {
      int got =
          decompressor.decompress(
              src, at + LENGTH_BYTES, src.remaining() - LENGTH_BYTES, dst, dst.position(), length);
      if (got != length) {
        throw new IOException("LZ4 chunk says it holds " + length + " bytes but holds " + got);
      }
    } catch (LZ4Exception e) {
      throw new IOException("LZ4: " + e.getMessage(), e);
    }
    src.position(src.limit());
    dst.position(dst.position() + length);
    return length;
  }

  /**
   * Returns the uncompressed length that a chunk says it has.
   *
   * @param most the greatest that is allowed
   */
  static int statedLength(ByteBuffer src, int most) throws IOException {
    if (src.remaining() < LENGTH_BYTES) {
      throw new IOException("LZ4 chunk of " + src.remaining() + " bytes, at least 4 are needed");
    }
    int at = src.position();
    int length = 0;
    for (int i = 0; i < LENGTH_BYTES; i++) {
      length |= (src.get(at + i) & 0xff) << (8 * i);
    }
    if (length < 0 || length > most) {
      throw new IOException("LZ4 chunk says it holds " + length + " bytes, allowed 0 to " + most);
    }
    return length;
  }

  @Override
  public @Nullable PrefixDecompressor prefixDecompressor() {
    return Lz4Prefix.create();
  }
}
