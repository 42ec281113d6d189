package io.siltstone.chunk;

import io.siltstone.compress.Compressor;
import io.siltstone.io.CorruptFileException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the chunks of a data file, and the decoding of their stored bytes. Immutable
 * except for closing; safe for use by all threads.
 */
abstract class ChunkLayout implements Closeable {
  private final int chunkLength;
  private final long dataLength;

  ChunkLayout(int chunkLength, long dataLength) {
    this.chunkLength = chunkLength;
    this.dataLength = dataLength;
  }

  final int chunkLength() {
    return chunkLength;
  }

  final long dataLength() {
    return dataLength;
  }

  /** Returns the uncompressed length of a chunk: less than the chunk length for the last. */
  final int uncompressedLength(long chunk) {
    return (int) Math.min(chunkLength, dataLength - chunk * chunkLength);
  }

  /** Returns whether there are checksums to compare. */
  abstract boolean hasChecksums();

  /** Returns the offset of a chunk in the file. */
  abstract long offset(long chunk);

  /** Returns the offset in the file after a chunk and its checksum. */
  abstract long end(long chunk);

  /** Returns the maximum number of bytes of a chunk and its checksum in the file. */
  abstract int maxStoredLength();

  /**
   * Decodes the stored bytes of a chunk.
   *
   * @param stored the chunk and its checksum, from position to limit
   * @param checked whether the checksum is compared
   * @param dst buffer with room for {@link #uncompressedLength} bytes at its position, which
   *     advances
   */
  abstract void decode(
      String path, long chunk, ByteBuffer stored, boolean checked, CRC32 checksum, ByteBuffer dst)
      throws IOException;

  /**
   * Returns a decoder of the beginnings of chunks, for one thread; null if whole chunks take as
   * long.
   */
  @Nullable PrefixDecoder prefixDecoder() {
    return null;
  }

  /** Decodes the beginnings of chunks; confined to one thread. */
  interface PrefixDecoder {
    /**
     * Decodes the first bytes of a chunk to the beginning of an array. Otherwise as {@link
     * ChunkLayout#decode}: the checksum is that of the whole chunk.
     *
     * @param dst has room for the whole chunk
     * @param wanted how many bytes, 1 and more, but not all
     */
    void decode(
        String path,
        long chunk,
        ByteBuffer stored,
        boolean checked,
        CRC32 checksum,
        byte[] dst,
        int wanted)
        throws IOException;
  }

  static void check(String path, long offset, ByteBuffer bytes, int expected, CRC32 checksum)
      throws CorruptFileException {
    int position = bytes.position();
    checksum.reset();
    checksum.update(bytes);
    bytes.position(position);
    int found = (int) checksum.getValue();
    if (found != expected) {
      throw new CorruptFileException(
          path,
          offset,
          "checksum of the chunk is 0x"
              + Integer.toHexString(found)
              + ", stored is 0x"
              + Integer.toHexString(expected));
    }
  }

  /**
   * A compressed file: each chunk is followed by its checksum, and {@code CompressionInfo.db}
   * describes the chunks.
   */
  static final class Compressed extends ChunkLayout {
    private final CompressionInfo info;
    private final SharedCompressors.Lease lease;
    private final Compressor compressor;
    private final int maxStoredLength;

    /** Takes over both, which are closed with the layout. */
    Compressed(CompressionInfo info, SharedCompressors.Lease lease) {
      super(info.chunkLength(), info.dataLength());
      this.info = info;
      this.lease = lease;
      this.compressor = lease.compressor();
      this.maxStoredLength =
          CompressionInfo.CHECKSUM_BYTES
              + Math.max(info.chunkLength(), compressor.maxCompressedLength(info.chunkLength()));
    }

    @Override
    boolean hasChecksums() {
      return true;
    }

    CompressionInfo info() {
      return info;
    }

    @Override
    long offset(long chunk) {
      return info.chunkOffset(chunk);
    }

    @Override
    long end(long chunk) {
      return info.chunkEnd(chunk);
    }

    @Override
    int maxStoredLength() {
      return maxStoredLength;
    }

    @Override
    void decode(
        String path, long chunk, ByteBuffer stored, boolean checked, CRC32 checksum, ByteBuffer dst)
        throws IOException {
      int wanted = uncompressedLength(chunk);
      if (isPlain(path, chunk, stored, checked, checksum)) {
        // The padding after the data of the last chunk is left out.
        stored.limit(stored.position() + wanted);
        dst.put(stored);
        return;
      }
      int limit = dst.limit();
      dst.limit(dst.position() + wanted);
      int got;
      try {
        got = compressor.decompress(stored, dst);
      } catch (IOException | RuntimeException e) {
        throw undecodable(path, chunk, e);
      }
      if (got != wanted) {
        throw new CorruptFileException(
            path, offset(chunk), "chunk holds " + got + " bytes, expected " + wanted);
      }
      dst.limit(limit);
    }

    /**
     * Checks the checksum of a chunk and makes the limit its end, without the checksum; returns
     * whether it is stored without compression.
     */
    private boolean isPlain(
        String path, long chunk, ByteBuffer stored, boolean checked, CRC32 checksum)
        throws IOException {
      int length = stored.remaining() - CompressionInfo.CHECKSUM_BYTES;
      int end = stored.position() + length;
      if (checked) {
        int expected = stored.getInt(end);
        stored.limit(end);
        check(path, offset(chunk), stored, expected, checksum);
      }
      stored.limit(end);
      if (length < info.maxCompressedLength()) {
        return false;
      }
      int plain = Math.max(uncompressedLength(chunk), info.maxCompressedLength());
      if (length != plain) {
        throw new CorruptFileException(
            path, offset(chunk), "plain chunk of " + length + " bytes, expected " + plain);
      }
      return true;
    }

    private CorruptFileException undecodable(String path, long chunk, Exception e) {
      return new CorruptFileException(
          path,
          offset(chunk),
          compressor.className() + " cannot decompress the chunk: " + e.getMessage(),
          e);
    }

    @Override
    @Nullable PrefixDecoder prefixDecoder() {
      Compressor.PrefixDecompressor beginnings = compressor.prefixDecompressor();
      if (beginnings == null) {
        return null;
      }
      return (path, chunk, stored, checked, checksum, dst, wanted) -> {
        if (isPlain(path, chunk, stored, checked, checksum)) {
          stored.get(stored.position(), dst, 0, wanted);
          return;
        }
        try {
          beginnings.decompress(stored, dst, wanted, uncompressedLength(chunk));
        } catch (IOException | RuntimeException e) {
          throw undecodable(path, chunk, e);
        }
      };
    }

    @Override
    public void close() throws IOException {
      try (info) {
        lease.close();
      }
    }
  }

  /** An uncompressed file, with checksums in {@code CRC.db} or without any. */
  static final class Plain extends ChunkLayout {
    private final long fileLength;
    private final int @Nullable [] checksums;

    Plain(int chunkLength, long fileLength, int @Nullable [] checksums) {
      super(chunkLength, fileLength);
      this.fileLength = fileLength;
      this.checksums = checksums;
    }

    @Override
    boolean hasChecksums() {
      return checksums != null;
    }

    @Override
    long offset(long chunk) {
      return chunk * chunkLength();
    }

    @Override
    long end(long chunk) {
      return Math.min(fileLength, offset(chunk) + chunkLength());
    }

    @Override
    int maxStoredLength() {
      // A damaged length of chunks, which nothing else contradicts, must not determine how much
      // memory is allocated.
      return (int) Math.max(1, Math.min(chunkLength(), fileLength));
    }

    @Override
    void decode(
        String path, long chunk, ByteBuffer stored, boolean checked, CRC32 checksum, ByteBuffer dst)
        throws IOException {
      if (checked && checksums != null) {
        check(path, offset(chunk), stored, checksums[(int) chunk], checksum);
      }
      dst.put(stored);
    }

    @Override
    public void close() {}
  }
}
