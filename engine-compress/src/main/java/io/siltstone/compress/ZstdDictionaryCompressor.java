package io.siltstone.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The Zstandard compressor with a dictionary. It writes frames without a checksum of their own,
 * which name the dictionary, and reads no frames of another one. Source: Cassandra 6.0-alpha2,
 * {@code ZstdDictionaryCompressor}. Needs zstd-jni on the class path.
 *
 * <p>The dictionary is prepared for each direction at its first use, and kept as native memory
 * until {@link #close()}.
 */
final class ZstdDictionaryCompressor implements Compressor {
  static final String NAME = "ZstdDictionaryCompressor";

  private final CompressionDictionary dictionary;
  private final int level;
  private final ArrayCodec codec = new ArrayCodec();
  private final ArrayCodec.Operation compress = new Compress();
  private final ArrayCodec.Operation decompress = new Decompress();
  private final ContextPool<ZstdCompressCtx> writing = new ContextPool<>(this::newWriting);
  private final ContextPool<ZstdDecompressCtx> reading = new ContextPool<>(this::newReading);

  // Guarded by this.
  private @Nullable ZstdDictCompress forWriting;
  private @Nullable ZstdDictDecompress forReading;
  private boolean isClosed;

  ZstdDictionaryCompressor(CompressionDictionary dictionary, int level) {
    this.dictionary = dictionary;
    this.level = level;
    // The library is loaded now, so that a missing one is reported when the table is opened.
    Zstd.compressBound(1);
  }

  private synchronized ZstdCompressCtx newWriting() {
    requireOpen();
    ZstdDictCompress prepared = forWriting;
    if (prepared == null) {
      prepared = new ZstdDictCompress(dictionary.bytes(), level);
      forWriting = prepared;
    }
    return new ZstdCompressCtx().loadDict(prepared);
  }

  private synchronized ZstdDecompressCtx newReading() {
    requireOpen();
    ZstdDictDecompress prepared = forReading;
    if (prepared == null) {
      prepared = new ZstdDictDecompress(dictionary.bytes());
      forReading = prepared;
    }
    return new ZstdDecompressCtx().loadDict(prepared);
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("the compressor is closed");
    }
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

  @Override
  public void close() throws IOException {
    @Nullable ZstdDictCompress compression;
    @Nullable ZstdDictDecompress decompression;
    synchronized (this) {
      isClosed = true;
      compression = forWriting;
      decompression = forReading;
    }
    // The contexts first, since they use the dictionary.
    try (compression;
        decompression;
        writing;
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
