package io.siltstone.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * The codec of zstd-jni with pooled contexts, since it takes longer to make one than to decompress
 * a small chunk. Safe for use by all threads; closed by its owner after the last use.
 */
final class ZstdCodec implements Closeable {
  private final ArrayCodec codec = new ArrayCodec();
  private final ArrayCodec.Operation compress = new Compress();
  private final ArrayCodec.Operation decompress = new Decompress();
  private final ContextPool<ZstdCompressCtx> writing;
  private final ContextPool<ZstdDecompressCtx> reading;

  /**
   * @param writing makes contexts of compression
   * @param reading makes contexts of decompression
   */
  ZstdCodec(Supplier<ZstdCompressCtx> writing, Supplier<ZstdDecompressCtx> reading) {
    this.writing = new ContextPool<>(writing);
    this.reading = new ContextPool<>(reading);
  }

  /** Compresses as {@link Compressor#compress}. */
  int compress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.run(compress, src, dst);
  }

  /** Decompresses as {@link Compressor#decompress}. */
  int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.run(decompress, src, dst);
  }

  @Override
  public void close() throws IOException {
    try (writing;
        reading) {}
  }

  private static IOException failed(ZstdException e) {
    return new IOException("Zstd: " + e.getMessage(), e);
  }

  private final class Compress implements ArrayCodec.Operation {
    @Override
    public int direct(ByteBuffer src, ByteBuffer dst) throws IOException {
      ZstdCompressCtx context = writing.take();
      try {
        return context.compressDirectByteBuffer(
            dst, dst.position(), dst.remaining(), src, src.position(), src.remaining());
      } catch (ZstdException e) {
        throw failed(e);
      } finally {
        writing.giveBack(context);
      }
    }

    @Override
    public int arrays(
        byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException {
      ZstdCompressCtx context = writing.take();
      try {
        return context.compressByteArray(dst, dstOffset, dstLength, src, srcOffset, srcLength);
      } catch (ZstdException e) {
        throw failed(e);
      } finally {
        writing.giveBack(context);
      }
    }
  }

  private final class Decompress implements ArrayCodec.Operation {
    @Override
    public int direct(ByteBuffer src, ByteBuffer dst) throws IOException {
      ZstdDecompressCtx context = reading.take();
      try {
        return context.decompressDirectByteBuffer(
            dst, dst.position(), dst.remaining(), src, src.position(), src.remaining());
      } catch (ZstdException e) {
        throw failed(e);
      } finally {
        reading.giveBack(context);
      }
    }

    @Override
    public int arrays(
        byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException {
      ZstdDecompressCtx context = reading.take();
      try {
        return context.decompressByteArray(dst, dstOffset, dstLength, src, srcOffset, srcLength);
      } catch (ZstdException e) {
        throw failed(e);
      } finally {
        reading.giveBack(context);
      }
    }
  }
}
