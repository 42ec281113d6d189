package io.siltstone.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The Deflate compressor, which writes the zlib format. Source: Cassandra {@code
 * DeflateCompressor}.
 *
 * <p>The library's objects hold native memory and are costly to create; they are pooled, as many as
 * were ever in use at once.
 */
final class DeflateCompressor implements Compressor {
  static final String NAME = "DeflateCompressor";

  private final ConcurrentLinkedQueue<Deflater> deflaters = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Inflater> inflaters = new ConcurrentLinkedQueue<>();

  @Override
  public String className() {
    return NAME;
  }

  @Override
  public int maxCompressedLength(int length) {
    // zlib's bound: five bytes per stored block of 16 KiB, plus header and trailer.
    return length + ((length + 16383) >> 14) * 5 + 18;
  }

  @Override
  public int compress(ByteBuffer src, ByteBuffer dst) throws IOException {
    Deflater pooled = deflaters.poll();
    Deflater deflater = pooled != null ? pooled : new Deflater();
    deflater.reset();
    deflater.setInput(src);
    deflater.finish();
    int length = 0;
    while (!deflater.finished()) {
      int count = deflater.deflate(dst);
      if (count == 0 && !deflater.finished()) {
        throw new IOException("Deflate: no room for the compressed chunk");
      }
      length += count;
    }
    deflaters.offer(deflater);
    return length;
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    Inflater pooled = inflaters.poll();
    Inflater inflater = pooled != null ? pooled : new Inflater();
    inflater.reset();
    inflater.setInput(src);
    int length = 0;
    try {
      while (!inflater.finished()) {
        int count = inflater.inflate(dst);
        if (count == 0 && !inflater.finished()) {
          throw new IOException(
              inflater.needsInput()
                  ? "Deflate: chunk ends before its data"
                  : "Deflate: chunk holds more than fits");
        }
        length += count;
      }
    } catch (DataFormatException e) {
      throw new IOException("Deflate: " + e.getMessage(), e);
    } finally {
      inflaters.offer(inflater);
    }
    if (src.hasRemaining()) {
      throw new IOException("Deflate: " + src.remaining() + " bytes after the chunk's data");
    }
    return length;
  }
}
