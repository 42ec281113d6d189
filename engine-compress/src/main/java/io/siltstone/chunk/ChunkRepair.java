package io.siltstone.chunk;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.compress.Compressor;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the files that describe the chunks of a data file from the data file alone.
 *
 * <p>{@code CRC.db} is computed. {@code CompressionInfo.db} is found by a search: each chunk is
 * followed by its checksum, so a chunk ends where the checksum of the bytes since its beginning
 * follows, and where these bytes can be decompressed. The result is certain, because the whole file
 * has to consist of such chunks.
 */
public final class ChunkRepair {
  private static final int MOST_CHUNK_BYTES = CompressionOptions.MAX_CHUNK_LENGTH_IN_KB * 1024;
  private static final int LEAST_CHUNK_BYTES = 256;
  // Cassandra leaves some empty chunks at the end, which take a few bytes each.
  private static final int MOST_EMPTY_BYTES = CompressionInfo.MOST_EMPTY_CHUNKS * 32;
  // The number of bytes that a compressor may add to a chunk that does not shrink.
  private static final int MOST_GROWTH = 1024;

  private ChunkRepair() {}

  /**
   * Writes and syncs a {@code CRC.db}.
   *
   * @param name of the file, which must be free
   * @param chunkLength bytes per checksum, a power of two
   */
  public static void writeChecksums(
      Directory directory, String dataName, String name, int chunkLength) throws IOException {
    try (ReadableFile data = directory.open(dataName, ReadIntent.SCAN);
        WritableFile out = directory.create(name, WriteIntent.OTHER)) {
      ByteBuffer chunk = ByteBuffer.allocate(chunkLength);
      ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
      out.write(number.putInt(0, chunkLength));
      CRC32 checksum = new CRC32();
      for (long position = 0; position < data.length(); position += chunkLength) {
        chunk.clear().limit((int) Math.min(chunkLength, data.length() - position));
        data.readFully(position, chunk);
        checksum.reset();
        checksum.update(chunk.flip());
        out.write(number.clear().putInt(0, (int) checksum.getValue()));
      }
      out.sync();
    }
  }

  /**
   * Finds the chunks of a compressed data file, and writes and syncs a {@code CompressionInfo.db}.
   *
   * @param name of the file, which must be free
   * @param candidates possible compressions of the file, the most likely first. Their chunk length
   *     is used only if the file has a single chunk
   * @return the candidate that fits, with the chunk length that was found
   * @throws CorruptFileException if the file does not consist of whole chunks of any candidate; it
   *     names the data file and the position up to which it does
   */
  public static CompressionOptions describe(
      Directory directory,
      String dataName,
      String name,
      List<CompressionOptions> candidates,
      MemoryBudget budget)
      throws IOException {
    CorruptFileException failure = null;
    try (ReadableFile data = directory.open(dataName, ReadIntent.SCAN)) {
      for (CompressionOptions candidate : candidates) {
        try (Search search = new Search(data, candidate);
            CompressionInfo found = search.run(budget)) {
          found.write(directory, name);
          return found.options();
        } catch (CorruptFileException e) {
          if (failure == null || e.offset() > failure.offset()) {
            failure = e;
          }
        }
      }
      throw failure != null
          ? failure
          : new CorruptFileException(data.path(), 0, "it is not known how it is compressed");
    }
  }

  /** The search for the chunks of one compressor. */
  private static final class Search implements Closeable {
    private final ReadableFile data;
    private final CompressionOptions candidate;
    private final Compressor compressor;
    private final CRC32 checksum = new CRC32();
    // The bytes of the file from `base` on.
    private byte[] bytes = {};
    private long base;
    private int filled;
    private byte[] plain;
    // 0 until the first chunk determines it.
    private int chunkLength;
    private int mostCompressed;
    private int leastPlain = Integer.MAX_VALUE;

    Search(ReadableFile data, CompressionOptions candidate) {
      this.data = data;
      this.candidate = candidate;
      this.compressor = candidate.newCompressor();
      this.plain = new byte[candidate.chunkLengthBytes()];
    }

    @Override
    public void close() throws IOException {
      compressor.close();
    }

    CompressionInfo run(MemoryBudget budget) throws IOException {
      try (ChunkOffsets.Builder offsets = new ChunkOffsets.Builder(budget)) {
        long dataLength = 0;
        int last = 0;
        for (long position = 0; position < data.length(); ) {
          int length = storedLength(position);
          if (length < 0) {
            throw new CorruptFileException(
                data.path(),
                position,
                "no chunk of "
                    + candidate.className()
                    + " with its checksum begins here, and so the chunks cannot be found");
          }
          if (chunkLength == 0) {
            chunkLength = plainLength;
          } else if (plainLength > chunkLength || (last < chunkLength && plainLength > 0)) {
            throw new CorruptFileException(
                data.path(), position, "a chunk of " + plainLength + " bytes after shorter ones");
          }
          offsets.add(position);
          last = plainLength;
          dataLength += plainLength;
          position += length + (long) CompressionInfo.CHECKSUM_BYTES;
        }
        if (dataLength == 0) {
          throw new CorruptFileException(data.path(), 0, "holds no data");
        }
        return new CompressionInfo(
            options(dataLength), mostStored(), dataLength, data.length(), offsets.build());
      }
    }

    private CompressionOptions options(long dataLength) {
      // The length of a single chunk does not determine the chunk length.
      int length = dataLength <= chunkLength ? atLeast(chunkLength) : chunkLength;
      CompressionOptions found =
          CompressionOptions.ofFile(
              candidate.className(), length, mostStored(), candidate.compressorOptions());
      CompressionDictionary dictionary = candidate.dictionary();
      return dictionary == null ? found : found.withDictionary(dictionary);
    }

    private int atLeast(int length) {
      int power = candidate.chunkLengthBytes();
      while (power < length) {
        power *= 2;
      }
      return power;
    }

    /** Returns the length in bytes from which on a chunk is stored uncompressed. */
    private int mostStored() {
      int wanted = candidate.maxCompressedLength();
      return mostCompressed < wanted && wanted <= leastPlain ? wanted : leastPlain;
    }

    private int plainLength;

    /** Returns the stored length of the chunk at a position, or -1; sets {@link #plainLength}. */
    private int storedLength(long position) throws IOException {
      long most =
          Math.min(
              data.length() - position,
              2L * (chunkLength == 0 ? MOST_CHUNK_BYTES : chunkLength)
                  + MOST_GROWTH
                  + CompressionInfo.CHECKSUM_BYTES);
      checksum.reset();
      for (int length = 1; length + CompressionInfo.CHECKSUM_BYTES <= most; length++) {
        require(position, length + CompressionInfo.CHECKSUM_BYTES, most);
        int at = (int) (position - base);
        checksum.update(bytes[at + length - 1]);
        if ((int) checksum.getValue() == intAt(at + length)
            && isChunk(at, length)
            && isLongEnough(position + length + CompressionInfo.CHECKSUM_BYTES)) {
          return length;
        }
      }
      return -1;
    }

    /**
     * Returns whether a chunk is as long as all chunks except the last must be. The bytes after a
     * few bytes may equal their checksum by chance: the checksum of four bytes of ones is ones.
     */
    private boolean isLongEnough(long end) {
      if (data.length() - end <= MOST_EMPTY_BYTES) {
        return true;
      }
      return chunkLength > 0
          ? plainLength == chunkLength
          : plainLength >= LEAST_CHUNK_BYTES && Integer.bitCount(plainLength) == 1;
    }

    private int intAt(int at) {
      return (bytes[at] & 0xff) << 24
          | (bytes[at + 1] & 0xff) << 16
          | (bytes[at + 2] & 0xff) << 8
          | (bytes[at + 3] & 0xff);
    }

    /** Loads the bytes of the file from a position on into the array. */
    private void require(long position, int count, long most) throws IOException {
      if (position >= base && position + count <= base + filled) {
        return;
      }
      int wanted = (int) Math.min(most, Math.max(2L * count, 256 * 1024));
      if (bytes.length < wanted) {
        bytes = new byte[wanted];
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, wanted);
      data.readFully(position, buffer);
      base = position;
      filled = wanted;
    }

    private boolean isChunk(int at, int length) {
      Integer found = decompressed(at, length);
      if (found != null) {
        plainLength = found;
        mostCompressed = Math.max(mostCompressed, length);
        return true;
      }
      boolean mayBePlain =
          length == candidate.chunkLengthBytes() && candidate.maxCompressedLength() <= length;
      if (chunkLength > 0 ? length == chunkLength : mayBePlain) {
        plainLength = length;
        leastPlain = Math.min(leastPlain, length);
        return true;
      }
      return false;
    }

    private @Nullable Integer decompressed(int at, int length) {
      while (true) {
        ByteBuffer target = ByteBuffer.wrap(plain);
        try {
          return compressor.decompress(ByteBuffer.wrap(bytes, at, length), target);
        } catch (IOException | RuntimeException e) {
          if (chunkLength > 0 || plain.length >= MOST_CHUNK_BYTES) {
            return null;
          }
          // The chunks may be longer than those that the table has today.
          plain = new byte[2 * plain.length];
        }
      }
    }
  }
}
