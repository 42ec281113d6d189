package io.siltstone.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/**
 * The Snappy compressor, which writes Snappy's raw format. Source: Cassandra {@code
 * SnappyCompressor}. Needs snappy-java on the class path.
 */
final class SnappyCompressor implements Compressor {
  static final String NAME = "SnappyCompressor";

  private final ArrayCodec codec = new ArrayCodec();
  private final ArrayCodec.Operation compress = new Compress();
  private final ArrayCodec.Operation decompress = new Decompress();

  SnappyCompressor() {
    // The library is loaded now, so that a missing one is reported when the table is opened.
    try {
      Snappy.maxCompressedLength(1);
    } catch (SnappyError e) {
      throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(e.getMessage()).initCause(e);
    }
  }

  @Override
  public String className() {
    return NAME;
  }

  @Override
  public int maxCompressedLength(int length) {
    return Snappy.maxCompressedLength(length);
  }

  @Override
  public int compress(ByteBuffer src, ByteBuffer dst) throws IOException {
    return codec.run(compress, src, dst);
  }

  @Override
  public int decompress(ByteBuffer src, ByteBuffer dst) throws IOException {
    try {
      return codec.run(decompress, src, dst);
    } catch (SnappyError | IllegalArgumentException e) {
      throw new IOException("Snappy: " + e.getMessage(), e);
    }
  }

  private static final class Compress implements ArrayCodec.Operation {
    @Override
    public int direct(ByteBuffer src, ByteBuffer dst) throws IOException {
      return Snappy.compress(src.duplicate(), dst.duplicate());
    }

    @Override
    public int arrays(
        byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException {
      return Snappy.compress(src, srcOffset, srcLength, dst, dstOffset);
    }
  }

  private static final class Decompress implements ArrayCodec.Operation {
    @Override
    public int direct(ByteBuffer src, ByteBuffer dst) throws IOException {
      check(Snappy.uncompressedLength(src.duplicate()), dst.remaining());
      return Snappy.uncompress(src.duplicate(), dst.duplicate());
    }

    @Override
    public int arrays(
        byte[] src, int srcOffset, int srcLength, byte[] dst, int dstOffset, int dstLength)
        throws IOException {
      // The library does not know the limit of dst.
      check(Snappy.uncompressedLength(src, srcOffset, srcLength), dstLength);
      return Snappy.uncompress(src, srcOffset, srcLength, dst, dstOffset);
    }

    private static void check(int length, int room) throws IOException {
      if (length < 0 || length > room) {
        throw new IOException(
            "Snappy chunk says it holds " + length + " bytes, allowed 0 to " + room);
      }
    }
  }
}
