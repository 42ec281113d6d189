package io.siltstone.chunk;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The compression metadata of a data file ({@code CompressionInfo.db}): compressor, chunk length,
 * and the offsets of the chunks.
 *
 * <pre>
 *   compressor     utf        simple class name, e.g. LZ4Compressor
 *   optionCount    int        then so many pairs of utf: the compressor's own options
 *   chunkLength    int        uncompressed bytes per chunk, a power of two
 *   maxCompressed  int        a chunk stored with so many bytes or more is not compressed
 *   dataLength     long       uncompressed bytes of the data file
 *   chunkCount     int        > 0; chunks after the data are empty
 *   offset[]       long × n   of each chunk in the data file, ascending from 0
 *   dictionary     from Cassandra 6.0 on, if the chunks have one: kind (byte, 0), id (long), length
 *                  (int), bytes, checksum (int)
 * </pre>
 *
 * All integers are big-endian; utf is Java's modified UTF-8 with a short length. Source: Cassandra
 * {@code CompressionMetadata}, {@code CompressionDictionary}. Immutable; safe for use by all
 * threads; the caller that opens it closes it.
 */
public final class CompressionInfo implements Closeable {
  /** The number of bytes of the checksum after each chunk. */
  static final int CHECKSUM_BYTES = 4;

  // The maximum that CompressionOptions allows, which also limits the memory that a damaged file
  // can make a reader allocate.
  private static final int MAX_CHUNK_LENGTH = CompressionOptions.MAX_CHUNK_LENGTH_IN_KB * 1024;
  private static final int MAX_OPTIONS = 64;
  private static final int DICTIONARY_HEAD_BYTES = 1 + Long.BYTES + Integer.BYTES;
  private static final byte ZSTD_DICTIONARY = 0;
  // No compressor makes a chunk longer than this factor times its length, plus this many bytes.
  private static final int MOST_STORED_RATIO = 2;
  private static final int MOST_STORED_MORE = 1024;

  private final CompressionOptions options;
  private final int maxCompressedLength;
  private final long dataLength;
  private final long fileLength;
  private final ChunkOffsets offsets;

  CompressionInfo(
      CompressionOptions options,
      int maxCompressedLength,
      long dataLength,
      long fileLength,
      ChunkOffsets offsets) {
    this.options = options;
    this.maxCompressedLength = maxCompressedLength;
    this.dataLength = dataLength;
    this.fileLength = fileLength;
    this.offsets = offsets;
  }

  /**
   * Reads the file and checks it against the length of the data file.
   *
   * @param data the data file
   * @throws CorruptFileException if its content cannot be true; it names the data file if that ends
   *     before its last chunks begin
   */
  public static CompressionInfo read(
      Directory directory, String name, ReadableFile data, MemoryBudget budget) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.WHOLE)) {
      return new Reader(file, data).read(false, budget);
    }
  }

  /**
   * Reads a file that is damaged or does not match the data file; otherwise as {@link #read}. Where
   * an offset is missing or cannot be true, the offset of the chunk before is used, so that neither
   * can be read.
   *
   * @param data the data file; offsets may lie beyond its end
   * @throws CorruptFileException if the content before the offsets cannot be true
   */
  static CompressionInfo readForSalvage(
      Directory directory, String name, ReadableFile data, MemoryBudget budget) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.WHOLE)) {
      return new Reader(file, data).read(true, budget);
    }
  }

  /**
   * Returns the same with an equal dictionary that others have, too; the offsets belong to the
   * result.
   */
  CompressionInfo sharing(CompressionDictionary dictionary) {
    return new CompressionInfo(
        options.withDictionary(dictionary), maxCompressedLength, dataLength, fileLength, offsets);
  }

  /** Writes and syncs the file. */
  void write(Directory directory, String name) throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
      putUtf(buffer, options.className());
      Map<String, String> own = new TreeMap<>(options.compressorOptions());
      buffer.putInt(own.size());
      own.forEach(
          (key, value) -> {
            putUtf(buffer, key);
            putUtf(buffer, value);
          });
      buffer.putInt(options.chunkLengthBytes());
      buffer.putInt(maxCompressedLength);
      buffer.putLong(dataLength);
      buffer.putInt(Math.toIntExact(offsets.count()));
      for (long chunk = 0; chunk < offsets.count(); chunk++) {
        if (buffer.remaining() < Long.BYTES) {
          file.write(buffer.flip());
          buffer.clear();
        }
        buffer.putLong(offsets.get(chunk));
      }
      file.write(buffer.flip());
      ByteBuffer dictionary = dictionarySection(options);
      if (dictionary.hasRemaining()) {
        file.write(dictionary);
      }
      file.sync();
    }
  }

  /** Returns the end of the file, with the dictionary; empty if there is none. */
  static ByteBuffer dictionarySection(CompressionOptions options) {
    CompressionDictionary dictionary = options.dictionary();
    if (dictionary == null) {
      return ByteBuffer.allocate(0);
    }
    ByteBuffer section =
        ByteBuffer.allocate(DICTIONARY_HEAD_BYTES + dictionary.length() + CHECKSUM_BYTES);
    return section
        .put(ZSTD_DICTIONARY)
        .putLong(dictionary.id())
        .putInt(dictionary.length())
        .put(dictionary.toBytes())
        .putInt(dictionary.checksum())
        .flip();
  }

  private static void putUtf(ByteBuffer buffer, String text) {
    // Names and values are ASCII, for which modified UTF-8 is the same.
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.putShort((short) bytes.length).put(bytes);
  }

  /** Returns class name, chunk length and the compressor's options. */
  public CompressionOptions options() {
    return options;
  }

  /** Returns the uncompressed bytes per chunk. */
  public int chunkLength() {
    return options.chunkLengthBytes();
  }

  /** Returns the stored length in bytes from which on a chunk is not compressed. */
  public int maxCompressedLength() {
    return maxCompressedLength;
  }

  /** Returns the uncompressed length of the data file in bytes. */
  public long dataLength() {
    return dataLength;
  }

  /** Returns the off-heap bytes of the offsets. */
  public long offHeapBytes() {
    return offsets.offHeapBytes();
  }

  /** Returns the offset of a chunk's first byte in the data file. */
  public long chunkOffset(long chunk) {
    return offsets.get(chunk);
  }

  /** Returns the offset in the data file after a chunk and its checksum. */
  public long chunkEnd(long chunk) {
    return chunk + 1 == offsets.count() ? fileLength : offsets.get(chunk + 1);
  }

  @Override
  public void close() {
    offsets.close();
  }

  /** Cassandra's compaction leaves an empty chunk at the end for each sync of a complete file. */
  static final int MOST_EMPTY_CHUNKS = 4;

  /**
   * Reads from front to back through a small buffer, so that a wrong count does not determine how
   * much memory is allocated.
   */
  private static final class Reader {
    private static final int LEAST_BUFFER_BYTES = 2 * 1024;
    private static final int MOST_BUFFER_BYTES = 64 * 1024;

    private final ReadableFile file;
    private final ReadableFile data;
    private final ByteBuffer buffer;
    private long next;

    Reader(ReadableFile file, ReadableFile data) {
      this.file = file;
      this.data = data;
      // Most files are far smaller than the largest buffer.
      long bytes = Math.min(MOST_BUFFER_BYTES, Math.max(LEAST_BUFFER_BYTES, file.length()));
      this.buffer = ByteBuffer.allocate((int) bytes).limit(0);
    }

    private long position() {
      return next - buffer.remaining();
    }

    private CorruptFileException corrupt(String reason) {
      return new CorruptFileException(file.path(), position(), reason);
    }

    private void require(int bytes) throws IOException {
      if (buffer.remaining() >= bytes) {
        return;
      }
      buffer.compact();
      next += file.read(next, buffer);
      buffer.flip();
      if (buffer.remaining() < bytes) {
        throw corrupt(
            "file ends: "
                + CountText.of(bytes, "byte")
                + " expected, "
                + buffer.remaining()
                + " left");
      }
    }

    private int readInt() throws IOException {
      require(Integer.BYTES);
      return buffer.getInt();
    }

    private long readLong() throws IOException {
      require(Long.BYTES);
      return buffer.getLong();
    }

    private String readUtf() throws IOException {
      require(Short.BYTES);
      int length = Short.toUnsignedInt(buffer.getShort());
      if (length > 1024) {
        throw corrupt("text of " + CountText.of(length, "byte") + ", allowed 0 to 1024");
      }
      require(length);
      byte[] bytes = new byte[length];
      buffer.get(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    CompressionInfo read(boolean isForSalvage, MemoryBudget budget) throws IOException {
      long fileLength = data.length();
      String className = readUtf();
      int optionCount = readInt();
      if (optionCount < 0 || optionCount > MAX_OPTIONS) {
        throw corrupt(optionCount + " compressor options, allowed 0 to " + MAX_OPTIONS);
      }
      Map<String, String> own = new TreeMap<>();
      for (int i = 0; i < optionCount; i++) {
        own.put(readUtf(), readUtf());
      }
      int chunkLength = readInt();
      if (chunkLength < 1 || chunkLength > MAX_CHUNK_LENGTH || Integer.bitCount(chunkLength) != 1) {
        throw corrupt(
            "chunk length " + chunkLength + ", allowed powers of two to " + MAX_CHUNK_LENGTH);
      }
      int maxCompressed = readInt();
      if (maxCompressed < 1) {
        throw corrupt("maximal compressed length " + maxCompressed + ", allowed 1 or more");
      }
      long dataLength = readLong();
      int chunkCount = readInt();
      long expected = dataLength <= 0 ? -1 : (dataLength - 1) / chunkLength + 1;
      if (expected < 1 || chunkCount < expected || chunkCount > expected + MOST_EMPTY_CHUNKS) {
        throw corrupt(
            CountText.of(chunkCount, "chunk")
                + " of "
                + CountText.of(chunkLength, "byte")
                + " for "
                + CountText.of(dataLength, "byte")
                + " of data");
      }
      long offsetsEnd = position() + (long) chunkCount * Long.BYTES;
      CompressionDictionary dictionary =
          hasDictionary(offsetsEnd) ? readDictionary(offsetsEnd) : null;
      if (!isForSalvage && dictionary == null && file.length() != offsetsEnd) {
        throw corrupt(
            chunkCount + " offsets announced, " + (file.length() - position()) + " bytes left");
      }
      CompressionOptions options =
          CompressionOptions.ofFile(className, chunkLength, maxCompressed, own);
      if (dictionary != null) {
        options = options.withDictionary(dictionary);
      } else if (options.takesDictionary() && file.length() > offsetsEnd) {
        throw new CorruptFileException(
            file.path(),
            offsetsEnd,
            (file.length() - offsetsEnd)
                + " bytes after the offsets are not a compression dictionary");
      }
      ChunkOffsets offsets =
          isForSalvage
              ? salvageOffsets(offsetsEnd, chunkCount, chunkLength, budget)
              : readOffsets((int) expected, chunkCount, mostStored(chunkLength), budget);
      // A last chunk that reaches beyond the end of the file is detected when it is read.
      long least = isForSalvage ? offsets.get(chunkCount - 1) + CHECKSUM_BYTES + 1 : 0;
      return new CompressionInfo(
          options, maxCompressed, dataLength, Math.max(fileLength, least), offsets);
    }

    /** Returns whether a dictionary whose length fits the file follows the offsets. */
    private boolean hasDictionary(long from) throws IOException {
      long length = file.length() - from - DICTIONARY_HEAD_BYTES - CHECKSUM_BYTES;
      if (length < 1 || length > CompressionDictionary.MAX_BYTES) {
        return false;
      }
      ByteBuffer head = ByteBuffer.allocate(DICTIONARY_HEAD_BYTES);
      file.readFully(from, head);
      return head.get(0) == ZSTD_DICTIONARY && head.getInt(1 + Long.BYTES) == length;
    }

    /**
     * Reads the dictionary. A damaged one is an error even where damage is salvaged, since it would
     * decompress chunks to other bytes.
     */
    private CompressionDictionary readDictionary(long from) throws IOException {
      ByteBuffer section = ByteBuffer.allocate((int) (file.length() - from));
      file.readFully(from, section);
      section.position(1);
      long id = section.getLong();
      byte[] bytes = new byte[section.getInt()];
      section.get(bytes);
      int stored = section.getInt();
      if (id <= 0) {
        throw new CorruptFileException(
            file.path(), from, "id " + id + " of a compression dictionary, allowed from 1");
      }
      CompressionDictionary dictionary = CompressionDictionary.of(id, bytes);
      if (dictionary.checksum() != stored) {
        throw new CorruptFileException(
            file.path(),
            from,
            "checksum of "
                + dictionary
                + " is 0x"
                + Integer.toHexString(dictionary.checksum())
                + ", stored is 0x"
                + Integer.toHexString(stored));
      }
      return dictionary;
    }

    private static long mostStored(int chunkLength) {
      return MOST_STORED_RATIO * (long) chunkLength + MOST_STORED_MORE;
    }

    private ChunkOffsets readOffsets(int filled, int chunkCount, long most, MemoryBudget budget)
        throws IOException {
      long fileLength = data.length();
      try (ChunkOffsets.Builder builder = new ChunkOffsets.Builder(budget)) {
        long previous = -1 - CHECKSUM_BYTES;
        CorruptFileException cut = null;
        for (int chunk = 0; chunk < chunkCount; chunk++) {
          long offset = readLong();
          // An empty chunk may consist of its checksum only.
          int least = CHECKSUM_BYTES + (chunk > filled ? 0 : 1);
          if (chunk == 0 ? offset != 0 : offset < previous + least) {
            throw corrupt(
                "offset "
                    + offset
                    + " of chunk "
                    + chunk
                    + " after "
                    + Math.max(0, previous)
                    + ", offsets ascend from 0");
          }
          if (chunk > 0 && offset - previous > most) {
            throw corrupt(
                "offset "
                    + offset
                    + " of chunk "
                    + chunk
                    + ", "
                    + CountText.of(offset - previous, "byte")
                    + " after the one before, which no chunk takes");
          }
          if (cut == null && offset > fileLength - CHECKSUM_BYTES - (chunk < filled ? 1 : 0)) {
            // If all other offsets ascend up to here, the file rather than this offset is wrong.
            cut =
                new CorruptFileException(
                    data.path(),
                    fileLength,
                    "the file ends here, chunk "
                        + chunk
                        + " of "
                        + chunkCount
                        + " begins at "
                        + offset
                        + " by "
                        + file.path());
          }
          previous = offset;
          builder.add(offset);
        }
        if (cut != null) {
          throw cut;
        }
        return builder.build();
      }
    }

    /** Returns the offsets. If two contradict each other, the first is considered wrong. */
    private ChunkOffsets salvageOffsets(
        long end, int chunkCount, int chunkLength, MemoryBudget budget) throws IOException {
      try (ChunkOffsets.Builder builder = new ChunkOffsets.Builder(budget)) {
        long previous = 0;
        builder.add(previous);
        readLongBefore(end);
        long offset = readLongBefore(end);
        for (int chunk = 1; chunk < chunkCount; chunk++) {
          long following = readLongBefore(end);
          long most = chunk * mostStored(chunkLength);
          boolean isContradicted = following > previous && following <= offset;
          if (offset > previous && offset <= most && !isContradicted) {
            previous = offset;
          }
          builder.add(previous);
          offset = following;
        }
        return builder.build();
      }
    }

    /** Returns -1 after the end of the offsets or of the file. */
    private long readLongBefore(long end) throws IOException {
      return Math.min(end, file.length()) - position() < Long.BYTES ? -1 : readLong();
    }
  }
}
