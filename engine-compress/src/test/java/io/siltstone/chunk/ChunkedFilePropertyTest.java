package io.siltstone.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunked files of random make are read back as written, and no damage of their data is missed. */
class ChunkedFilePropertyTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int ENDS = 32;

  private static final String DATA = "oa-1-big-Data.db";
  private static final String INFO = "oa-1-big-CompressionInfo.db";
  private static final int READ_AHEAD = 256 * 1024;

  private final PooledMemory memory = PooledMemory.unlimited();
  @TempDir private Path folder;

  @AfterEach
  void everyBufferWasReleased() {
    memory.close();
  }

  /** One random file; prints itself for a failure. */
  private static final class Made {
    final long seed;
    final Random random;
    final boolean direct;
    final CompressionOptions options;
    final byte[] data;

    Made(long seed) {
      this.seed = seed;
      this.random = new Random(new SplittableRandom(seed).nextLong());
      this.direct = random.nextInt(4) == 0;
      this.options = options(random);
      this.data = data(random, 1 + random.nextInt(1 << (1 + random.nextInt(20))));
    }

    private static CompressionOptions options(Random random) {
      int which = random.nextInt(CompressionOptions.COMPRESSORS.size() + 1);
      if (which == CompressionOptions.COMPRESSORS.size()) {
        return CompressionOptions.NONE;
      }
      String[] ratios = {"0", "1.0", "1.001", "1.1", "1.5", "4", "1000"};
      Map<String, String> map = new LinkedHashMap<>();
      map.put("class", CompressionOptions.COMPRESSORS.get(which));
      map.put("chunk_length_in_kb", Integer.toString(1 << random.nextInt(10)));
      map.put("min_compress_ratio", ratios[random.nextInt(ratios.length)]);
      return CompressionOptions.fromMap(map);
    }

    Directory directory(Path folder) throws IOException {
      return direct
          ? NioDirectory.open(
              folder.resolve("seed-" + seed), NioOptions.DEFAULT.withDirectIo(true, true))
          : new MemoryDirectory();
    }

    @Override
    public String toString() {
      return "seed "
          + seed
          + ": "
          + data.length
          + " bytes, "
          + options
          + (direct ? ", direct I/O" : "");
    }
  }

  /** Runs of words, of noise and of zeros. */
  private static byte[] data(Random random, int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; ) {
      int run = Math.min(length - at, 1 + random.nextInt(1 << random.nextInt(18)));
      switch (random.nextInt(3)) {
        case 0 -> {
          for (int i = 0; i < run; i++) {
            bytes[at + i] = (byte) "siltstone ".charAt(i % 10);
          }
        }
        case 1 -> {
          for (int i = 0; i < run; i++) {
            bytes[at + i] = (byte) random.nextInt();
          }
        }
        default -> {
          // Zeros are there.
        }
      }
      at += run;
    }
    return bytes;
  }

  private void write(Directory directory, CompressionOptions options, byte[] data, Random random)
      throws IOException {
    try (ChunkWriter writer =
        ChunkWriter.create(directory, DATA, INFO, options, memory, WriteIntent.COMPACTION)) {
      for (int at = 0; at < data.length; ) {
        int part = Math.min(data.length - at, random.nextInt(1 << random.nextInt(19)));
        writer.write(data, at, part);
        at += part;
      }
      writer.finish();
    }
  }

  private ChunkedFile open(Directory directory, CompressionOptions options) throws IOException {
    return options.isEnabled()
        ? ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1)
        : ChunkedFile.openPlain(directory, DATA, INFO, memory, 1);
  }

  @Test
  void whatIsWrittenIsReadAtAnyPlaceInAnyParts() throws IOException {
    for (long seed = 0; seed < 75L * SCALE; seed++) {
      Made made = new Made(seed);
      Directory directory = made.directory(folder);
      write(directory, made.options, made.data, made.random);
      try (ChunkedFile file = open(directory, made.options)) {
        assertThat(file.length()).as("%s", made).isEqualTo(made.data.length);
        readAtRandomPlaces(made, file);
        for (int i = 0; i < 4; i++) {
          readARange(made, file);
        }
      }
    }
  }

  private static void readAtRandomPlaces(Made made, ChunkedFile file) throws IOException {
    Random random = made.random;
    try (ChunkSource source = file.openRandom()) {
      byte[] dst = new byte[(1 << 19) + 100];
      for (int i = 0; i < 30; i++) {
        int from = random.nextInt(made.data.length);
        if (random.nextInt(3) == 0) {
          from -= from % file.chunkLength();
        }
        int offset = random.nextInt(100);
        int room = 1 + random.nextInt(1 << random.nextInt(20));
        int count = source.read(from, dst, offset, room);
        int inChunk = file.chunkLength() - from % file.chunkLength();
        assertThat(count)
            .as("%s, %d at %d", made, room, from)
            .isEqualTo(Math.min(room, Math.min(inChunk, made.data.length - from)));
        assertThat(Arrays.mismatch(dst, offset, offset + count, made.data, from, from + count))
            .as("%s, %d at %d", made, room, from)
            .isEqualTo(-1);
      }
      assertThat(source.read(made.data.length, dst, 0, 1)).as("%s", made).isEqualTo(-1);
      assertThat(source.read(1L << 40, dst, 0, 1)).as("%s", made).isEqualTo(-1);
    }
  }

  private static void readARange(Made made, ChunkedFile file) throws IOException {
    Random random = made.random;
    int from = random.nextInt(made.data.length + 1);
    int to = from + random.nextInt(made.data.length - from + 1);
    int[] readAheads = {0, 1, 4096, 10_000, READ_AHEAD};
    int readAhead = readAheads[random.nextInt(readAheads.length)];
    SequentialAccess access =
        random.nextBoolean() ? SequentialAccess.COMPACTION : SequentialAccess.SCAN;
    byte[] dst = new byte[1 << random.nextInt(20)];
    try (ChunkSource source = file.openSequential(access.withReadAheadBytes(readAhead), from, to)) {
      int at = from;
      while (at < to) {
        int count = source.read(at, dst, 0, Math.min(dst.length, to - at));
        assertThat(count).as("%s, %d..%d at %d", made, from, to, at).isPositive();
        assertThat(Arrays.mismatch(dst, 0, count, made.data, at, at + count))
            .as("%s, %d..%d by %d, %s at %d", made, from, to, readAhead, access.intent(), at)
            .isEqualTo(-1);
        at += count;
        if (random.nextInt(10) == 0) {
          at = Math.min(to, at + random.nextInt(3 * file.chunkLength()));
        }
      }
    }
  }

  @Test
  void aScanTakesAReadPerReadAheadAndThreeMore() throws IOException {
    for (long seed = 1000; seed < 1000 + 30L * SCALE; seed++) {
      Made made = new Made(seed);
      MemoryDirectory disk = new MemoryDirectory();
      byte[] data = data(made.random, 500_000 + made.random.nextInt(2_000_000));
      write(disk, made.options, data, made.random);
      CountingReads counting = new CountingReads(disk);
      try (ChunkedFile file = open(counting, made.options);
          ChunkSource source = file.openSequential(SequentialAccess.SCAN, 0, data.length)) {
        counting.reads = 0;
        counting.bytes = 0;
        byte[] dst = new byte[1 + made.random.nextInt(1 << 20)];
        for (int at = 0; at < data.length; ) {
          at += source.read(at, dst, 0, dst.length);
        }
        assertThat(counting.reads)
            .as("%s, %d bytes on disk", made, file.onDiskLength())
            .isLessThanOrEqualTo(file.onDiskLength() / READ_AHEAD + 3);
        assertThat(counting.bytes).as("%s", made).isEqualTo(file.onDiskLength());
      }
    }
  }

  private static CompressionOptions small(String className, String ratio) {
    return className.isEmpty()
        ? CompressionOptions.NONE
        : CompressionOptions.fromMap(
            Map.of("class", className, "chunk_length_in_kb", "1", "min_compress_ratio", ratio));
  }

  private static byte[] content(Directory directory, String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      file.read(0, bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static MemoryDirectory disk(byte[] data, byte[] info) throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    for (String name : new String[] {DATA, INFO}) {
      try (WritableFile file = disk.create(name, WriteIntent.OTHER)) {
        file.write(ByteBuffer.wrap(name.equals(DATA) ? data : info));
      }
    }
    return disk;
  }

  private byte[] readAll(Directory disk, CompressionOptions options, boolean ahead)
      throws IOException {
    try (ChunkedFile file = open(disk, options);
        ChunkSource source =
            ahead
                ? file.openSequential(
                    SequentialAccess.SCAN.withReadAheadBytes(4096), 0, file.length())
                : file.openRandom()) {
      byte[] result = new byte[(int) Math.min(1 << 20, file.length())];
      for (int at = 0; at < result.length; ) {
        at += source.read(at, result, at, result.length - at);
      }
      return result;
    }
  }

  /** Two chunks and a bit: one that shrinks, one of noise, and a short one. */
  private static byte[] threeChunks() {
    byte[] data = new byte[2_148];
    byte[] noise = new byte[1_024];
    new Random(17).nextBytes(noise);
    System.arraycopy(noise, 0, data, 1_024, 1_024);
    return data;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LZ4Compressor 0",
        "LZ4Compressor 1.1",
        "ZstdCompressor 0",
        "SnappyCompressor 1.5",
        "DeflateCompressor 0",
        "NoopCompressor 0"
      })
  void aFlippedBitOfTheDataIsFoundInItsChunk(String make) throws IOException {
    CompressionOptions options = small(make.split(" ", -1)[0], make.split(" ", -1)[1]);
    MemoryDirectory whole = new MemoryDirectory();
    write(whole, options, threeChunks(), new Random(1));
    byte[] data = content(whole, DATA);
    byte[] info = content(whole, INFO);
    long[] starts;
    try (ReadableFile file = whole.open(DATA, ReadIntent.SCAN);
        CompressionInfo read = CompressionInfo.read(whole, INFO, file, memory)) {
      starts = new long[] {0, read.chunkOffset(1), read.chunkOffset(2)};
    }
    for (int bit : bits(data.length, starts)) {
      byte[] damaged = data.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      int chunk = bit / 8 >= starts[2] ? 2 : bit / 8 >= starts[1] ? 1 : 0;
      MemoryDirectory disk = disk(damaged, info);
      boolean ahead = bit % 2 == 0;
      assertThatExceptionOfType(CorruptFileException.class)
          .as("%s, bit %d of %d", make, bit, 8 * data.length)
          .isThrownBy(() -> readAll(disk, options, ahead))
          .satisfies(
              e -> {
                assertThat(e.path()).isEqualTo("memory:/" + DATA);
                assertThat(e.offset()).isEqualTo(starts[chunk]);
                assertThat(e).hasMessageContaining(DATA).hasMessageContaining("" + starts[chunk]);
              });
    }
  }

  /**
   * Each bit at both ends of chunks, where their lengths and checksums are, and one of each other
   * byte: a checksum does not tell one bit from another.
   */
  private static int[] bits(int length, long... starts) {
    return IntStream.range(0, 8 * length)
        .filter(
            bit ->
                bit % 8 == bit / 8 % 8
                    || length - bit / 8 <= ENDS
                    || Arrays.stream(starts).anyMatch(start -> Math.abs(start - bit / 8) <= ENDS))
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"LZ4Compressor", "ZstdCompressor", "SnappyCompressor", "DeflateCompressor"})
  void noFlippedBitOfTheDescriptionGivesWrongData(String className) throws IOException {
    CompressionOptions options = small(className, "0");
    MemoryDirectory whole = new MemoryDirectory();
    byte[] expected = threeChunks();
    write(whole, options, expected, new Random(1));
    byte[] data = content(whole, DATA);
    byte[] info = content(whole, INFO);
    int refused = 0;
    for (int bit = 0; bit < 8 * info.length; bit++) {
      byte[] damaged = info.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        assertThat(readAll(disk(data, damaged), options, bit % 2 == 0))
            .as("%s, bit %d", className, bit)
            .isEqualTo(expected);
      } catch (CorruptFileException e) {
        assertThat(e).hasMessageContaining("memory:/oa-1-big-");
        refused++;
      }
    }
    // Harmless is only what says from where on a chunk counts as plain, and there is none.
    assertThat(refused).as(className).isBetween(8 * info.length - 32, 8 * info.length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"LZ4Compressor 0", "LZ4Compressor 1.1", "ZstdCompressor 0", "NoopCompressor 1.5"})
  void everyCutIsFound(String make) throws IOException {
    CompressionOptions options = small(make.split(" ", -1)[0], make.split(" ", -1)[1]);
    MemoryDirectory whole = new MemoryDirectory();
    write(whole, options, threeChunks(), new Random(1));
    byte[] data = content(whole, DATA);
    byte[] info = content(whole, INFO);
    for (int length = 0; length < data.length; length++) {
      MemoryDirectory disk = disk(Arrays.copyOf(data, length), info);
      boolean ahead = length % 2 == 0;
      assertThatExceptionOfType(CorruptFileException.class)
          .as("%s, data of %d bytes cut to %d", make, data.length, length)
          .isThrownBy(() -> readAll(disk, options, ahead))
          .satisfies(e -> assertThat(e.path()).startsWith("memory:/oa-1-big-"))
          .satisfies(e -> assertThat(e.offset()).isNotNegative());
    }
    for (int length = 0; length < info.length; length++) {
      MemoryDirectory disk = disk(data, Arrays.copyOf(info, length));
      assertThatExceptionOfType(CorruptFileException.class)
          .as("%s, description of %d bytes cut to %d", make, info.length, length)
          .isThrownBy(() -> open(disk, options).close())
          .satisfies(e -> assertThat(e.path()).isEqualTo("memory:/" + INFO))
          .satisfies(e -> assertThat(e.offset()).isBetween(0L, (long) info.length));
    }
  }

  @Test
  void aFlippedBitAndEveryCutOfPlainDataIsFound() throws IOException {
    CompressionOptions options = CompressionOptions.NONE;
    MemoryDirectory whole = new MemoryDirectory();
    write(whole, options, Arrays.copyOf(threeChunks(), 1_200), new Random(1));
    byte[] data = content(whole, DATA);
    byte[] checksums = content(whole, INFO);
    for (int bit : bits(data.length, 0)) {
      byte[] damaged = data.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      MemoryDirectory disk = disk(damaged, checksums);
      boolean ahead = bit % 2 == 0;
      assertThatExceptionOfType(CorruptFileException.class)
          .as("bit %d", bit)
          .isThrownBy(() -> readAll(disk, options, ahead))
          .withMessageContaining("memory:/" + DATA + " at offset 0");
    }
    for (int length = 1; length < data.length; length++) {
      MemoryDirectory disk = disk(Arrays.copyOf(data, length), checksums);
      assertThatExceptionOfType(CorruptFileException.class)
          .as("cut to %d", length)
          .isThrownBy(() -> readAll(disk, options, true));
    }
  }
}
