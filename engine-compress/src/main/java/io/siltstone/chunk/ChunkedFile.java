package io.siltstone.chunk;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.files.RepeatedReads;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnsupportedFileException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A data file in chunks that is open for reading: it is opened once per table and shared by all its
 * readers.
 *
 * <p>Safe for use by all threads. The caller that opens it closes it, after all sources that it
 * returned; reads fail afterwards.
 */
public final class ChunkedFile implements Closeable {
  // The chunk length for an uncompressed file that has no CRC.db.
  private static final int PLAIN_CHUNK_BYTES = 64 * 1024;
  // One scan may take one part in this many of the free memory for its read-ahead.
  private static final int SHARE_OF_SCAN = 8;

  private static final Pattern COMPRESSOR_NAME = Pattern.compile("[A-Za-z_$][\\w$]*(\\.[\\w$]+)*");

  private final Directory directory;
  private final String name;
  private final ReadableFile file;
  private final ChunkLayout layout;
  private final @Nullable CompressionInfo info;
  private final MemoryBudget budget;
  private final double checkChance;

  private ChunkedFile(
      Directory directory,
      String name,
      ReadableFile file,
      ChunkLayout layout,
      @Nullable CompressionInfo info,
      MemoryBudget budget,
      double checkChance) {
    this.directory = directory;
    this.name = name;
    this.file = file;
    this.layout = layout;
    this.info = info;
    this.budget = budget;
    this.checkChance = checkChance;
  }

  /**
   * Opens a compressed file.
   *
   * @param infoName of its {@code CompressionInfo.db}
   * @param compressors which other files with the same dictionary use too
   * @param checkChance probability from 0 to 1 with which a chunk's checksum is compared ({@code
   *     crc_check_chance})
   * @throws CorruptFileException if the description cannot be true; it names the data file if that
   *     has lost its end
   */
  public static ChunkedFile openCompressed(
      Directory directory,
      String dataName,
      String infoName,
      MemoryBudget budget,
      SharedCompressors compressors,
      double checkChance)
      throws IOException {
    return openCompressed(
        directory, dataName, infoName, budget, compressors, checkChance, CompressionInfo::read);
  }

  /** Opens a compressed file that shares its compressor with no other one; otherwise as above. */
  public static ChunkedFile openCompressed(
      Directory directory,
      String dataName,
      String infoName,
      MemoryBudget budget,
      double checkChance)
      throws IOException {
    return openCompressed(
        directory, dataName, infoName, budget, new SharedCompressors(budget), checkChance);
  }

  /**
   * Opens a compressed file that is damaged or cut off, or whose description is. Chunks whose
   * boundaries are unknown cannot be read, the others can. All checksums are compared.
   *
   * @param infoName of its {@code CompressionInfo.db}
   * @throws CorruptFileException if not even the compressor can be read from the description
   */
  public static ChunkedFile openForSalvage(
      Directory directory, String dataName, String infoName, MemoryBudget budget)
      throws IOException {
    return openCompressed(
        directory,
        dataName,
        infoName,
        budget,
        new SharedCompressors(budget),
        1,
        CompressionInfo::readForSalvage);
  }

  /** A way of reading a description. */
  private interface InfoReader {
    CompressionInfo read(Directory directory, String name, ReadableFile data, MemoryBudget budget)
        throws IOException;
  }

  private static ChunkedFile openCompressed(
      Directory directory,
      String dataName,
      String infoName,
      MemoryBudget budget,
      SharedCompressors compressors,
      double checkChance,
      InfoReader reader)
      throws IOException {
    ReadableFile file = directory.open(dataName, ReadIntent.POINT_READ);
    CompressionInfo info = null;
    try {
      info = reader.read(directory, infoName, file, budget);
      SharedCompressors.Lease lease = compressor(directory, infoName, info, compressors);
      try {
        CompressionDictionary dictionary = lease.dictionary();
        if (dictionary != null) {
          info = info.sharing(dictionary);
        }
        ChunkLayout layout = new ChunkLayout.Compressed(info, lease);
        return new ChunkedFile(directory, dataName, file, layout, info, budget, checkChance);
      } catch (Throwable e) {
        lease.close();
        throw e;
      }
    } catch (Throwable e) {
      if (info != null) {
        info.close();
      }
      file.close();
      throw e;
    }
  }

  private static SharedCompressors.Lease compressor(
      Directory directory, String infoName, CompressionInfo info, SharedCompressors compressors)
      throws IOException {
    String path = directory.path() + "/" + infoName;
    String name = info.options().className();
    if (!CompressionOptions.COMPRESSORS.contains(name) && !isDamaged(name)) {
      throw new UnsupportedFileException(
          path,
          "compressor '"
              + name
              + "' is not supported; supported are "
              + String.join(", ", CompressionOptions.COMPRESSORS),
          null);
    }
    try {
      return compressors.acquire(info.options());
    } catch (IllegalArgumentException e) {
      throw new CorruptFileException(path, 0, String.valueOf(e.getMessage()), e);
    } catch (IllegalStateException e) {
      throw new UnsupportedFileException(path, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns whether a compressor's name must be damaged: no class has such a name, or it differs
   * from a supported name in a single character.
   */
  private static boolean isDamaged(String name) {
    return !COMPRESSOR_NAME.matcher(name).matches()
        || CompressionOptions.COMPRESSORS.stream().anyMatch(known -> differences(known, name) == 1);
  }

  private static int differences(String known, String name) {
    if (known.length() != name.length()) {
      return Integer.MAX_VALUE;
    }
    return (int)
        IntStream.range(0, name.length()).filter(i -> known.charAt(i) != name.charAt(i)).count();
  }

  /**
   * Opens an uncompressed file.
   *
   * @param crcName of its {@code CRC.db}, or null if it has none: then no checksums are compared
   */
  public static ChunkedFile openPlain(
      Directory directory,
      String dataName,
      @Nullable String crcName,
      MemoryBudget budget,
      double checkChance)
      throws IOException {
    ReadableFile file = directory.open(dataName, ReadIntent.POINT_READ);
    try {
      ChunkLayout layout =
          crcName == null
              ? new ChunkLayout.Plain(PLAIN_CHUNK_BYTES, file.length(), null)
              : readChecksums(directory, crcName, file.length());
      return new ChunkedFile(directory, dataName, file, layout, null, budget, checkChance);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  private static ChunkLayout readChecksums(Directory directory, String name, long dataLength)
      throws IOException {
    try (ReadableFile crc = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);
      if (crc.length() >= Integer.BYTES) {
        crc.readFully(0, head);
      }
      int chunkLength = head.getInt(0);
      if (chunkLength < 512 || chunkLength > 1 << 24 || Integer.bitCount(chunkLength) != 1) {
        throw new CorruptFileException(
            crc.path(),
            0,
            "chunk length " + chunkLength + ", allowed powers of two from 512 to " + (1 << 24));
      }
      long chunks = (dataLength + chunkLength - 1) / chunkLength;
      long behind = crc.length() - Integer.BYTES * (chunks + 1);
      if (behind < 0
          || behind > (long) Integer.BYTES * CompressionInfo.MOST_EMPTY_CHUNKS
          || behind % Integer.BYTES != 0) {
        throw new CorruptFileException(
            crc.path(),
            CorruptFileException.WHOLE_FILE,
            "has "
                + CountText.of(crc.length(), "byte")
                + ", expected 4 and 4 for each of "
                + CountText.of(chunks, "chunk"));
      }
      ByteBuffer empty = ByteBuffer.allocate((int) behind);
      crc.readFully(crc.length() - behind, empty);
      for (empty.flip(); empty.hasRemaining(); ) {
        // The CRC32 of no bytes.
        if (empty.getInt() != 0) {
          throw new CorruptFileException(
              crc.path(),
              crc.length() - behind,
              "has checksums of more than the " + CountText.of(chunks, "chunk") + " of the data");
        }
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) (Integer.BYTES * chunks));
      crc.readFully(Integer.BYTES, bytes);
      int[] checksums = new int[(int) chunks];
      bytes.flip().asIntBuffer().get(checksums);
      return new ChunkLayout.Plain(chunkLength, dataLength, checksums);
    }
  }

  /** Returns the full path of the data file. */
  public String path() {
    return file.path();
  }

  /** Returns the uncompressed length in bytes. */
  public long length() {
    return layout.dataLength();
  }

  /** Returns the length of the file in bytes. */
  public long onDiskLength() {
    return file.length();
  }

  /** Returns the uncompressed bytes per chunk. */
  public int chunkLength() {
    return layout.chunkLength();
  }

  /** Returns the number of chunks. */
  public long chunkCount() {
    return (length() + chunkLength() - 1) / chunkLength();
  }

  /**
   * Returns the compression of the file; {@link CompressionOptions#NONE} if it is not compressed.
   */
  public CompressionOptions compression() {
    return info == null ? CompressionOptions.NONE : info.options();
  }

  /** Returns whether its chunks have checksums. */
  public boolean hasChecksums() {
    return layout.hasChecksums();
  }

  /** Returns the budget of its off-heap memory. */
  public MemoryBudget budget() {
    return budget;
  }

  /** Returns the off-heap bytes of the chunk offsets. */
  public long offsetsOffHeapBytes() {
    return info == null ? 0 : info.offHeapBytes();
  }

  /**
   * Opens a source for reads at unpredictable positions, with one read of the file per chunk. The
   * caller closes it.
   */
  public RandomChunks openRandom() {
    return new RandomChunks(file, layout, budget, new CheckDecision(checkChance));
  }

  /**
   * Opens a source for reads from front to back. The caller closes it.
   *
   * @param from position in the uncompressed data where reading will begin
   * @param to position where it will end; nothing is read ahead beyond its chunk
   */
  public ChunkSource openSequential(SequentialAccess access, long from, long to)
      throws IOException {
    if (from < 0 || to > length() || from > to) {
      throw new IllegalArgumentException(
          path() + ": range " + from + " to " + to + ", allowed 0 to " + length());
    }
    ReadableFile read = fileFor(access.intent());
    try {
      long share = share(access.intent());
      int readAhead = (int) Math.min(access.readAheadBytes(), share);
      SequentialChunks source =
          new SequentialChunks(
              ThrottledFile.of(
                  access.isForSalvage() ? RepeatedReads.of(read) : read, access.throttle()),
              read != file,
              layout,
              budget,
              new CheckDecision(access.isChecked() ? 1 : checkChance),
              from,
              to,
              readAhead);
      Executor ahead = ahead(access, share, to - from);
      return ahead == null
          ? source
          : new PrefetchingChunks(source, layout, budget, to, readAhead, ahead);
    } catch (Throwable e) {
      if (read != file) {
        read.close();
      }
      throw e;
    }
  }

  /**
   * Returns the file that is already open, unless the intent requires another way of access. A scan
   * of many tables can thus read files that were deleted meanwhile, by a drop of the table or by
   * another process.
   */
  private ReadableFile fileFor(ReadIntent intent) throws IOException {
    if (intent == ReadIntent.SCAN && !file.isMapped()) {
      return file;
    }
    try {
      return directory.open(name, intent);
    } catch (NoSuchFileException e) {
      return file;
    }
  }

  /** Returns no executor for a scan that is short, or for which memory is short. */
  private @Nullable Executor ahead(SequentialAccess access, long share, long length) {
    long most = PrefetchingChunks.mostBytes(layout.chunkLength());
    boolean isUseful = access.intent() != ReadIntent.SCAN || (most <= share && most < length);
    return isUseful ? access.ahead() : null;
  }

  /**
   * Returns the memory for read-ahead. Where memory is short, a scan should be slow rather than
   * fail or make others fail.
   */
  private long share(ReadIntent intent) {
    return intent == ReadIntent.SCAN
        ? Math.max(0, budget.available()) / SHARE_OF_SCAN
        : Long.MAX_VALUE;
  }

  /** Returns the CRC32 of a whole file as it is stored, as in {@code Digest.crc32}. */
  public static long digest(Directory directory, String name) throws IOException {
    CRC32 checksum = new CRC32();
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer buffer = ByteBuffer.allocate(SequentialAccess.DEFAULT_READ_AHEAD_BYTES);
      for (long position = 0; position < file.length(); ) {
        buffer.clear();
        int count = file.read(position, buffer);
        if (count <= 0) {
          throw new CorruptFileException(
              file.path(), position, "file ends before " + file.length());
        }
        checksum.update(buffer.flip());
        position += count;
      }
    }
    return checksum.getValue();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      layout.close();
    }
  }

  /** Decides for each chunk whether its checksum is compared. Confined to one source. */
  static final class CheckDecision {
    private final double chance;
    // The seed differs each time, so that a repeated scan checks other chunks.
    private final SplittableRandom random = new SplittableRandom();

    CheckDecision(double chance) {
      this.chance = chance;
    }

    boolean next() {
      return chance >= 1 || (chance > 0 && random.nextDouble() < chance);
    }
  }
}
