package io.siltstone.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
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
  private final ZstdCodec codec = new ZstdCodec(this::newWriting, this::newReading);

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
    return codec.compress(src, dst);
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.decompress(src, dst);
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
        codec) {}
  }
}
