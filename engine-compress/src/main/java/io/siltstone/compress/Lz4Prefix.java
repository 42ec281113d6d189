package io.siltstone.compress;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The decompressor of the beginnings of LZ4 chunks, for one thread. It calls {@code
 * LZ4_decompress_safe_partial} of the native library by {@link NativeLz4}, and allocates only when
 * it is given another buffer than before.
 */
final class Lz4Prefix implements Compressor.PrefixDecompressor {
  private static final byte[] NONE = {};

  private final MethodHandle function;
  // The address of a buffer, and the segment of an array, are made once for each.
  private @Nullable ByteBuffer source;
  private long sourceAddress;
  private byte[] target = NONE;
  private Object targetSegment = NONE;

  private Lz4Prefix(MethodHandle function) {
    this.function = function;
  }

  /** Returns a decompressor, or null if the function cannot be called here. */
  static @Nullable Lz4Prefix create() {
    MethodHandle function = NativeLz4.decompressPartial();
    return function == null ? null : new Lz4Prefix(function);
  }

  @Override
  public int decompress(ByteBuffer src, byte[] dst, int wanted, int length) throws IOException {
    if (!src.isDirect() || wanted < 0 || wanted > length || length > dst.length) {
      throw new IllegalArgumentException(
          "the first " + wanted + " of " + length + " bytes into " + dst.length);
    }
    int stated = Lz4Compressor.statedLength(src, length);
    if (stated != length) {
      throw new IOException("LZ4 chunk says it holds " + stated + " bytes, expected " + length);
    }
    int at = src.position() + Lz4Compressor.LENGTH_BYTES;
    int got = call(addressOf(src) + at, segmentOf(dst), src.limit() - at, wanted);
    if (got != wanted) {
      throw new IOException(
          got < 0
              ? "LZ4: the block is malformed, by " + got
              : "LZ4 chunk ends after " + got + " bytes, of which it says it has " + length);
    }
    return wanted;
  }

  private int call(long src, Object dst, int srcBytes, int wanted) {
    try {
      return (int) function.invokeExact(src, dst, srcBytes, wanted, wanted);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("LZ4: the call of the native library failed", e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // The same buffer has the same address.
  private long addressOf(ByteBuffer src) {
    if (src != source) {
      sourceAddress = NativeLz4.address(src);
      source = src;
    }
    return sourceAddress;
  }

  private Object segmentOf(byte[] dst) {
    if (dst != target) {
      targetSegment = NativeLz4.segment(dst);
      target = dst;
    }
    return targetSegment;
  }
}
