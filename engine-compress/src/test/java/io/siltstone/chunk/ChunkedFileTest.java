package io.siltstone.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnreadableFileException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkedFileTest {
  private static final String DATA = "oa-1-big-Data.db";
  private static final String INFO = "oa-1-big-CompressionInfo.db";

  private final PooledMemory memory = PooledMemory.unlimited();

  @AfterEach
  void everyBufferWasReleased() {
    memory.close();
  }

  /** Half words, half noise, so that some chunks shrink and some do not. */
  private static byte[] data(long seed, int length) {
    Random random = new Random(seed);
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; ) {
      int run = Math.min(length - at, 1 + random.nextInt(20_000));
      boolean noise = random.nextBoolean();
      for (int i = 0; i < run; i++) {
        bytes[at + i] = (byte) (noise ? random.nextInt(256) : "siltstone ".charAt(i % 10));
      }
      at += run;
    }
    return bytes;
  }

  private long write(Directory directory, CompressionOptions options, byte[] data, long seed)
      throws IOException {
    Random random = new Random(seed);
    try (ChunkWriter writer =
        ChunkWriter.create(directory, DATA, INFO, options, memory, WriteIntent.FLUSH)) {
      for (int at = 0; at < data.length; ) {
        int part = Math.min(data.length - at, random.nextInt(3000));
        writer.write(data, at, part);
        at += part;
        assertThat(writer.position()).isEqualTo(at);
      }
      writer.finish();
      return writer.digest();
    }
  }

  private ChunkedFile open(Directory directory, CompressionOptions options) throws IOException {
    return options.isEnabled()
        ? ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1)
        : ChunkedFile.openPlain(directory, DATA, INFO, memory, 1);
  }

  private static byte[] readAll(ChunkSource source, long from, int room) throws IOException {
    byte[] result = new byte[(int) (source.length() - from)];
    byte[] part = new byte[room];
    int done = 0;
    while (true) {
      int count = source.read(from + done, part, 0, room);
      if (count < 0) {
        return result;
      }
      System.arraycopy(part, 0, result, done, count);
      done += count;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LZ4Compressor,4,0", "LZ4Compressor,16,1.1", "LZ4Compressor,64,0", "ZstdCompressor,16,0",
    "SnappyCompressor,16,1.5", "DeflateCompressor,8,0", "NoopCompressor,16,0", ",64,0"
  })
  void whatIsWrittenIsReadBack(String className, int kib, double ratio) throws IOException {
    CompressionOptions options =
        className == null
            ? CompressionOptions.NONE
            : CompressionOptions.fromMap(
                Map.of(
                    "class", className,
                    "chunk_length_in_kb", Integer.toString(kib),
                    "min_compress_ratio", Double.toString(ratio)));
    for (int length : new int[] {1, 4095, 4096, 65_536, 65_537, 1_000_003}) {
      Directory directory = new MemoryDirectory();
      byte[] data = data(length, length);
      long digest = write(directory, options, data, length);
      assertThat(ChunkedFile.digest(directory, DATA)).isEqualTo(digest);
      try (ChunkedFile file = open(directory, options)) {
        assertThat(file.length()).isEqualTo(length);
        try (ChunkSource random = file.openRandom();
            ChunkSource ahead = file.openSequential(SequentialAccess.SCAN, 0, length);
            ChunkSource single =
                file.openSequential(SequentialAccess.SCAN.withReadAheadBytes(0), 0, length)) {
          assertThat(readAll(random, 0, 1 << 17)).isEqualTo(data);
          assertThat(readAll(random, length / 2, 700))
              .isEqualTo(Arrays.copyOfRange(data, length / 2, length));
          assertThat(readAll(ahead, 0, 1 << 17)).isEqualTo(data);
          assertThat(readAll(single, length / 3, 5000))
              .isEqualTo(Arrays.copyOfRange(data, length / 3, length));
        }
      }
    }
  }

  /** Wherever a batch of chunks ends. */
  @Test
  void whatIsWrittenByteByByteIsReadBack() throws IOException {
    byte[] data = data(8, 700_000);
    Directory directory = new MemoryDirectory();
    try (ChunkWriter writer =
        ChunkWriter.create(
            directory, DATA, INFO, CompressionOptions.DEFAULT, memory, WriteIntent.FLUSH)) {
      for (byte one : data) {
        writer.write(one);
      }
      assertThat(writer.position()).isEqualTo(data.length);
      writer.finish();
    }
    try (ChunkedFile file = open(directory, CompressionOptions.DEFAULT);
        ChunkSource source = file.openRandom()) {
      assertThat(readAll(source, 0, 1 << 17)).isEqualTo(data);
    }
  }

  @Test
  void aScanHasOthersReadAheadOnlyWhereMemoryIsPlenty() throws IOException {
    byte[] data = data(3, 3_000_000);
    Directory directory = new MemoryDirectory();
    write(directory, CompressionOptions.DEFAULT, data, 3);
    assertThat(callsForHelp(directory, data, 4 << 20)).isZero();
    assertThat(callsForHelp(directory, data, 8 << 20)).isPositive();
  }

  private static int callsForHelp(Directory directory, byte[] data, long limit) throws IOException {
    AtomicInteger calls = new AtomicInteger();
    Executor counting =
        task -> {
          calls.incrementAndGet();
          task.run();
        };
    SequentialAccess access = SequentialAccess.SCAN.withAhead(counting);
    try (PooledMemory limited = PooledMemory.withLimit(limit);
        ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, limited, 1);
        ChunkSource source = file.openSequential(access, 0, data.length)) {
      assertThat(readAll(source, 0, 1 << 17)).isEqualTo(data);
    }
    return calls.get();
  }

  @Test
  void directIoReadsAndWritesTheSameBytes(@TempDir Path folder) throws IOException {
    Directory directory = NioDirectory.open(folder, NioOptions.DEFAULT.withDirectIo(true, true));
    byte[] data = data(7, 3_000_001);
    try (ChunkWriter writer =
        ChunkWriter.create(
            directory, DATA, INFO, CompressionOptions.DEFAULT, memory, WriteIntent.COMPACTION)) {
      writer.write(data, 0, data.length);
      writer.finish();
    }
    try (ChunkedFile file = open(directory, CompressionOptions.DEFAULT);
        ChunkSource source =
            file.openSequential(SequentialAccess.COMPACTION, 100_000, data.length)) {
      assertThat(readAll(source, 100_000, 40_000))
          .isEqualTo(Arrays.copyOfRange(data, 100_000, data.length));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 16, 64, 512})
  void aScanTakesOneReadPerBuffer(int kib) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    CompressionOptions options = CompressionOptions.DEFAULT.withChunkLengthInKb(kib);
    byte[] data = data(3, 10_000_000);
    write(disk, options, data, 3);
    CountingReads counting = new CountingReads(disk);
    try (ChunkedFile file = ChunkedFile.openCompressed(counting, DATA, INFO, memory, 1);
        ChunkSource source = file.openSequential(SequentialAccess.SCAN, 0, data.length)) {
      counting.reads = 0;
      assertThat(readAll(source, 0, 1 << 20)).isEqualTo(data);
      assertThat(counting.reads).isLessThanOrEqualTo(file.onDiskLength() / (256 * 1024) + 2);
    }
  }

  @Test
  void whereMemoryIsShortAScanReadsLessAtATime() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    byte[] data = data(4, 2_000_000);
    write(disk, CompressionOptions.DEFAULT, data, 4);
    CountingReads counting = new CountingReads(disk);
    int scans = 7;
    List<ChunkSource> open = new ArrayList<>();
    try (PooledMemory small = PooledMemory.withLimit(1 << 20);
        ChunkedFile file = ChunkedFile.openCompressed(counting, DATA, INFO, small, 1)) {
      for (int i = 0; i < scans; i++) {
        open.add(file.openSequential(SequentialAccess.SCAN, 0, data.length));
      }
      List<Long> reads = new ArrayList<>();
      for (ChunkSource source : open) {
        counting.reads = 0;
        assertThat(readAll(source, 0, 1 << 20)).isEqualTo(data);
        source.close();
        reads.add(counting.reads);
      }
      assertThat(reads).isSorted();
      assertThat(reads.get(scans - 1)).isGreaterThan(2 * reads.get(0));
      assertThatThrownBy(
              () ->
                  file.openSequential(
                      SequentialAccess.COMPACTION.withReadAheadBytes(2 << 20), 0, data.length))
          .isInstanceOf(OutOfBudgetException.class);
    }
  }

  @Test
  void toReadLittleTakesLittleMemory() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    byte[] data = data(6, 2_000_000);
    write(disk, CompressionOptions.DEFAULT, data, 6);
    try (ChunkedFile file = open(disk, CompressionOptions.DEFAULT)) {
      long before = memory.used();
      try (ChunkSource source = file.openSequential(SequentialAccess.SCAN, 900_000, 901_000)) {
        byte[] part = new byte[1000];
        assertThat(source.read(900_000, part, 0, 1000)).isEqualTo(1000);
        assertThat(part).isEqualTo(Arrays.copyOfRange(data, 900_000, 901_000));
        assertThat(memory.used() - before).isLessThan(40 * 1024);
      }
    }
  }

  @Test
  void aPointReadTakesOneReadOfItsChunk() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    byte[] data = data(5, 1_000_000);
    write(disk, CompressionOptions.DEFAULT, data, 5);
    CountingReads counting = new CountingReads(disk);
    try (ChunkedFile file = ChunkedFile.openCompressed(counting, DATA, INFO, memory, 1);
        ChunkSource source = file.openRandom()) {
      counting.reads = 0;
      byte[] row = new byte[100];
      for (int i = 0; i < 10; i++) {
        source.read(500_000 + i * 100L, row, 0, 100);
      }
      assertThat(counting.reads).isEqualTo(1);
      assertThat(counting.bytes).isLessThan(17_000);
    }
  }

  @Test
  void aFlippedByteIsFoundWithItsPlace() throws IOException {
    byte[] data = data(9, 100_000);
    for (int at : new int[] {0, 5, 3000, 20_000}) {
      MemoryDirectory disk = new MemoryDirectory();
      write(disk, CompressionOptions.DEFAULT, data, 9);
      flip(disk, DATA, at);
      try (ChunkedFile file = open(disk, CompressionOptions.DEFAULT);
          ChunkSource source = file.openRandom()) {
        assertThatThrownBy(() -> readAll(source, 0, 1 << 17))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining(DATA)
            .hasMessageContaining("offset");
      }
    }
  }

  @Test
  void everyDamageOfTheDescriptionIsRefusedOrHarmless() throws IOException {
    byte[] data = data(11, 50_000);
    MemoryDirectory whole = new MemoryDirectory();
    write(whole, CompressionOptions.DEFAULT, data, 11);
    int length = (int) whole.length(INFO);
    for (int at = 0; at < length; at++) {
      for (boolean cut : new boolean[] {false, true}) {
        MemoryDirectory disk = new MemoryDirectory();
        write(disk, CompressionOptions.DEFAULT, data, 11);
        if (cut) {
          disk.truncate(INFO, at);
        } else {
          flip(disk, INFO, at);
        }
        byte[] read;
        try (ChunkedFile file = open(disk, CompressionOptions.DEFAULT);
            ChunkSource source = file.openRandom()) {
          read = readAll(source, 0, 1 << 17);
        } catch (CorruptFileException e) {
          continue;
        }
        assertThat(read).as("byte %d flipped", at).isEqualTo(data);
      }
    }
  }

  @Test
  void aCutDataFileIsAnErrorNotALoop() throws IOException {
    byte[] data = data(13, 200_000);
    MemoryDirectory disk = new MemoryDirectory();
    write(disk, CompressionOptions.DEFAULT, data, 13);
    disk.truncate(DATA, disk.length(DATA) - 2);
    try (ChunkedFile file = open(disk, CompressionOptions.DEFAULT);
        ChunkSource source = file.openSequential(SequentialAccess.SCAN, 0, data.length)) {
      assertThatThrownBy(() -> readAll(source, 0, 1 << 17))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 50, 99})
  void whatLiesBeforeACutIsSalvaged(int percent) throws IOException {
    byte[] data = data(17, 200_000);
    MemoryDirectory disk = new MemoryDirectory();
    write(disk, CompressionOptions.DEFAULT, data, 17);
    long[] offsets = offsets(disk, data.length);
    long length = disk.length(DATA) * percent / 100;
    disk.truncate(DATA, length);
    boolean[] isThere = new boolean[offsets.length];
    for (int chunk = 0; chunk + 1 < offsets.length; chunk++) {
      isThere[chunk] = offsets[chunk + 1] <= length;
    }
    assertThat(salvaged(disk, data)).isEqualTo(isThere);
  }

  @Test
  void anOffsetThatIsDamagedCostsTheChunksAroundItAlone() throws IOException {
    byte[] data = data(19, 200_000);
    MemoryDirectory whole = new MemoryDirectory();
    write(whole, CompressionOptions.DEFAULT, data, 19);
    int chunks = offsets(whole, data.length).length;
    int first = (int) whole.length(INFO) - chunks * Long.BYTES;
    for (int at = first; at < whole.length(INFO); at++) {
      MemoryDirectory disk = new MemoryDirectory();
      write(disk, CompressionOptions.DEFAULT, data, 19);
      flip(disk, INFO, at);
      int damaged = (at - first) / Long.BYTES;
      boolean[] isThere = salvaged(disk, data);
      for (int chunk = 0; chunk < chunks; chunk++) {
        assertThat(isThere[chunk] || Math.abs(chunk - damaged) <= 2)
            .as("chunk %d with byte %d flipped", chunk, at)
            .isTrue();
      }
    }
  }

  @Test
  void offsetsThatAreMissingCostTheirChunksAlone() throws IOException {
    byte[] data = data(23, 200_000);
    MemoryDirectory disk = new MemoryDirectory();
    write(disk, CompressionOptions.DEFAULT, data, 23);
    int chunks = offsets(disk, data.length).length;
    disk.truncate(INFO, disk.length(INFO) - 5 * Long.BYTES - 1);
    boolean[] isThere = new boolean[chunks];
    // Of the last whose beginning is known the end is not.
    Arrays.fill(isThere, 0, chunks - 7, true);
    assertThat(salvaged(disk, data)).isEqualTo(isThere);
  }

  private long[] offsets(Directory directory, long dataLength) throws IOException {
    try (ReadableFile file = directory.open(DATA, ReadIntent.SCAN);
        CompressionInfo info = CompressionInfo.read(directory, INFO, file, memory)) {
      long[] offsets = new long[(int) ((dataLength - 1) / info.chunkLength()) + 1];
      Arrays.setAll(offsets, info::chunkOffset);
      return offsets;
    }
  }

  /** Which chunks can be read, one by one and as a scan; each that can be is what was written. */
  private boolean[] salvaged(Directory directory, byte[] data) throws IOException {
    try (ChunkedFile file = ChunkedFile.openForSalvage(directory, DATA, INFO, memory);
        ChunkSource random = file.openRandom();
        ChunkSource scan = file.openSequential(SequentialAccess.COMPACTION, 0, data.length)) {
      assertThat(file.length()).isEqualTo(data.length);
      boolean[] isThere = new boolean[(int) file.chunkCount()];
      byte[] read = new byte[file.chunkLength()];
      for (int chunk = 0; chunk < isThere.length; chunk++) {
        int from = chunk * read.length;
        int length = Math.min(read.length, data.length - from);
        for (ChunkSource source : List.of(random, scan)) {
          try {
            assertThat(source.read(from, read, 0, length)).isEqualTo(length);
          } catch (CorruptFileException e) {
            assertThat(isThere[chunk]).isFalse();
            continue;
          }
          assertThat(Arrays.copyOf(read, length))
              .isEqualTo(Arrays.copyOfRange(data, from, from + length));
          isThere[chunk] = true;
        }
      }
      return isThere;
    }
  }

  private static void flip(Directory directory, String name, int at) throws IOException {
    byte[] bytes = new byte[(int) directory.length(name)];
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      file.read(0, bytes, 0, bytes.length);
    }
    bytes[at] ^= 0x41;
    directory.delete(name);
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }

  /** Its buffer may be that of the next scan by then. */
  @Test
  void aScanThatWasClosedReadsNothing() throws IOException {
    Directory directory = new MemoryDirectory();
    byte[] data = data(3, 1_000_000);
    write(directory, CompressionOptions.DEFAULT, data, 3);
    try (ChunkedFile file = open(directory, CompressionOptions.DEFAULT)) {
      ChunkSource closed = file.openSequential(SequentialAccess.SCAN, 0, data.length);
      byte[] part = new byte[10];
      assertThat(closed.read(0, part, 0, 10)).isEqualTo(10);
      closed.close();
      try (ChunkSource open = file.openSequential(SequentialAccess.SCAN, 0, data.length)) {
        assertThat(open.read(0, part, 0, 10)).isEqualTo(10);
        // In what it has read ahead, and behind that.
        for (long at : new long[] {20_000, 900_000}) {
          assertThatThrownBy(() -> closed.read(at, part, 0, 10))
              .isInstanceOf(ClosedChannelException.class);
        }
        assertThat(readAll(open, 0, 5000)).isEqualTo(data);
      }
    }
  }

  /** A chunk that is read in part is in the buffer, and the one before is not any more. */
  @Test
  void behindAReadThatFailedNothingIsTakenFromTheBuffer() throws IOException {
    MemoryDirectory memoryDirectory = new MemoryDirectory();
    byte[] data = data(4, 100_000);
    write(memoryDirectory, CompressionOptions.NONE, data, 4);
    boolean[] fails = {false};
    Directory directory =
        new CountingReads(memoryDirectory) {
          @Override
          void beforeRead(ByteBuffer into) throws IOException {
            if (fails[0]) {
              into.put(new byte[Math.min(1000, into.remaining())]);
              throw new IOException("bad sector");
            }
          }
        };
    try (ChunkedFile file = ChunkedFile.openPlain(directory, DATA, null, memory, 1);
        ChunkSource scan =
            file.openSequential(SequentialAccess.SCAN.withReadAheadBytes(0), 0, data.length)) {
      byte[] part = new byte[3000];
      assertThat(scan.read(0, part, 0, 3000)).isEqualTo(3000);
      fails[0] = true;
      assertThatThrownBy(() -> scan.read(99_000, part, 0, 1000)).hasMessage("bad sector");
      fails[0] = false;
      assertThat(scan.read(0, part, 0, 3000)).isEqualTo(3000);
      assertThat(part).isEqualTo(Arrays.copyOf(data, 3000));
    }
  }

  @Test
  void scansThatAreRepeatedCheckOtherChunks() throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    byte[] data = data(5, 1000);
    write(directory, CompressionOptions.NONE, data, 5);
    MemoryDirectory damaged = new MemoryDirectory();
    data[500] ^= 1;
    for (String name : directory.files()) {
      byte[] bytes = name.equals(DATA) ? data : bytes(directory, name);
      try (WritableFile out = damaged.create(name, WriteIntent.OTHER)) {
        out.write(ByteBuffer.wrap(bytes));
      }
    }
    int found = 0;
    try (ChunkedFile file = ChunkedFile.openPlain(damaged, DATA, INFO, memory, 0.5)) {
      for (int i = 0; i < 200; i++) {
        try (ChunkSource scan = file.openSequential(SequentialAccess.SCAN, 0, data.length)) {
          scan.read(0, new byte[10], 0, 10);
        } catch (CorruptFileException e) {
          found++;
        }
      }
    }
    assertThat(found).isBetween(50, 150);
  }

  /** Nothing but the checksum of the one chunk contradicts a damaged length of chunks. */
  @Test
  void chunksThatAreSaidToBeLongerThanTheFileTakeNoMemoryOfThatLength() throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    byte[] data = data(5, 1000);
    write(directory, CompressionOptions.NONE, data, 5);
    byte[] checksums = bytes(directory, INFO);
    ByteBuffer.wrap(checksums).putInt(0, 8 << 20);
    directory.delete(INFO);
    try (WritableFile out = directory.create(INFO, WriteIntent.OTHER)) {
      out.write(ByteBuffer.wrap(checksums));
    }
    try (MemoryBudget little = PooledMemory.withLimit(1 << 20);
        ChunkedFile file = ChunkedFile.openPlain(directory, DATA, INFO, little, 1);
        ChunkSource scan = file.openSequential(SequentialAccess.SCAN, 0, data.length)) {
      assertThat(readAll(scan, 0, 100)).isEqualTo(data);
    }
  }

  private static byte[] bytes(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      ByteBuffer all = ByteBuffer.allocate((int) file.length());
      file.read(0, all);
      return all.array();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void checksumsThatAreNotReadAreAnErrorAndNotZero(int call) throws IOException {
    Directory disk = new MemoryDirectory();
    write(disk, CompressionOptions.NONE, data(1, 200_000), 1);
    Directory ended =
        new CountingReads(disk) {
          @Override
          void beforeRead(ByteBuffer dst) {
            if (reads >= call) {
              dst.limit(dst.position());
            }
          }
        };
    assertThatThrownBy(() -> ChunkedFile.openPlain(ended, DATA, INFO, memory, 1).close())
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining(INFO);
  }
}
