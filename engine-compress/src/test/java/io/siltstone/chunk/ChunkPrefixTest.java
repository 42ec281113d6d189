package io.siltstone.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.DiskAccessMode;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Chunks that are decompressed only as far as reading is expected to go: what is read is what was
 * written, however wrong the expectation is. Java 22 and newer decompress a part, older ones all.
 */
class ChunkPrefixTest {
  private static final String DATA = "oa-1-big-Data.db";
  private static final String INFO = "oa-1-big-CompressionInfo.db";
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 60;
  private static final int READS = 20_000;

  private final Random random = new Random(41);
  private final PooledMemory memory = PooledMemory.unlimited();
  @TempDir private Path folder;

  @AfterEach
  void everyBufferWasReleased() {
    memory.close();
  }

  /** Each chunk differs from all others everywhere, so that a byte of an earlier one is noticed. */
  private byte[] write(Directory directory) throws IOException {
    byte[] data = new byte[CHUNKS * CHUNK - 1234];
    byte[] words = new byte[64];
    for (int chunk = 0; chunk * CHUNK < data.length; chunk++) {
      random.nextBytes(words);
      boolean isNoise = chunk % 7 == 3;
      for (int at = chunk * CHUNK; at < Math.min(data.length, (chunk + 1) * CHUNK); ) {
        int from = random.nextInt(words.length);
        int run = isNoise ? 0 : 1 + random.nextInt(words.length - from);
        data[at++] = (byte) random.nextInt();
        for (int i = 0; i < run && at < data.length; i++) {
          data[at++] = words[from + i];
        }
      }
    }
    CompressionOptions options =
        CompressionOptions.fromMap(
            Map.of(
                "class", "LZ4Compressor", "chunk_length_in_kb", "4", "min_compress_ratio", "1.05"));
    try (ChunkWriter writer =
        ChunkWriter.create(directory, DATA, INFO, options, memory, WriteIntent.COMPACTION)) {
      writer.write(data, 0, data.length);
      writer.finish();
    }
    return data;
  }

  private Directory open(DiskAccessMode mode) throws IOException {
    return NioDirectory.open(folder, NioOptions.DEFAULT.withDiskAccessMode(mode));
  }

  @ParameterizedTest
  @EnumSource(names = {"STANDARD", "MMAP"})
  void noByteBeyondTheDecodedOnesIsRead(DiskAccessMode mode) throws IOException {
    Directory directory = open(mode);
    byte[] data = write(directory);
    byte[] into = new byte[3 * CHUNK];
    try (ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1);
        RandomChunks chunks = file.openRandom()) {
      for (int i = 0; i < READS; i++) {
        int position = random.nextInt(data.length);
        if (random.nextInt(4) == 0) {
          position -= position % CHUNK;
        }
        long end =
            switch (random.nextInt(8)) {
              case 0 -> Long.MAX_VALUE;
              case 1 -> random.nextInt(data.length);
              case 2 -> -1;
              default -> position + 1L + random.nextInt(2 * CHUNK);
            };
        chunks.expectEnd(() -> end, random.nextBoolean());
        for (int parts = random.nextInt(4); parts >= 0 && position < data.length; parts--) {
          int length = 1 + random.nextInt(parts == 0 ? 2 * CHUNK : 300);
          int offset = random.nextInt(CHUNK);
          int count = chunks.read(position, into, offset, length);
          assertThat(count).isBetween(1, length);
          if (!Arrays.equals(into, offset, offset + count, data, position, position + count)) {
            throw new AssertionError(count + " bytes at " + position + " of read " + i);
          }
          position += count;
        }
      }
      for (long chunk = 0; chunk < file.chunkCount(); chunk++) {
        // The same source decompresses whole chunks too, as for a cache.
        byte[] whole = new byte[chunks.lengthOf(chunk)];
        chunks.load(chunk, ByteBuffer.wrap(whole));
        assertThat(whole)
            .isEqualTo(
                Arrays.copyOfRange(data, (int) chunk * CHUNK, (int) chunk * CHUNK + whole.length));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STANDARD", "MMAP"})
  void aChunkThatIsReadOnBeyondTheExpectedEndCountsOnce(DiskAccessMode mode) throws IOException {
    Directory directory = open(mode);
    byte[] data = write(directory);
    byte[] into = new byte[CHUNK];
    try (ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1);
        RandomChunks chunks = file.openRandom()) {
      chunks.expectEnd(() -> CHUNK + 300, true);
      int first = chunks.read(CHUNK + 100, into, 0, 200);
      assertThat(chunks.isAtHand(1)).isTrue();
      int rest = chunks.read(CHUNK + 100 + first, into, first, CHUNK - 100 - first);
      assertThat(first + rest).isEqualTo(CHUNK - 100);
      assertThat(Arrays.copyOf(into, CHUNK - 100))
          .isEqualTo(Arrays.copyOfRange(data, CHUNK + 100, 2 * CHUNK));
      assertThat(chunks.reads().chunks()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STANDARD", "MMAP"})
  void damageAfterThePartThatIsWantedIsFound(DiskAccessMode mode) throws IOException {
    Directory directory = open(mode);
    write(directory);
    Path path = folder.resolve(DATA);
    byte[] stored = Files.readAllBytes(path);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = stored.clone();
      damaged[random.nextInt(stored.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(path, damaged);
      int failed = 0;
      try (ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1);
          RandomChunks chunks = file.openRandom()) {
        for (long chunk = 0; chunk < file.chunkCount(); chunk++) {
          long wanted = chunk * CHUNK + 20;
          chunks.expectEnd(() -> wanted, true);
          try {
            chunks.read(chunk * CHUNK + 10, new byte[10], 0, 10);
          } catch (CorruptFileException e) {
            assertThat(e.path()).isEqualTo(path.toString());
            failed++;
          }
        }
      }
      assertThat(failed).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STANDARD", "MMAP"})
  void damageThatNoChecksumFindsIsNoCrash(DiskAccessMode mode) throws IOException {
    Directory directory = open(mode);
    write(directory);
    Path path = folder.resolve(DATA);
    byte[] stored = Files.readAllBytes(path);
    for (int i = 0; i < 100; i++) {
      byte[] damaged = stored.clone();
      for (int flips = 0; flips < 200; flips++) {
        damaged[random.nextInt(stored.length)] = (byte) random.nextInt();
      }
      Files.write(path, damaged);
      try (ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, memory, 0);
          RandomChunks chunks = file.openRandom()) {
        for (long chunk = 0; chunk < file.chunkCount(); chunk++) {
          long end = chunk * CHUNK + 2 + random.nextInt(CHUNK - 2);
          chunks.expectEnd(() -> end, false);
          byte[] into = new byte[CHUNK];
          try {
            assertThat(chunks.read(chunk * CHUNK + 1, into, 0, CHUNK)).isPositive();
          } catch (CorruptFileException e) {
            assertThat(e.path()).isEqualTo(path.toString());
          }
        }
      }
    }
  }

  @Test
  void whatLiesInTwoChunksIsReadByOneRead() throws IOException {
    CountingReads directory = new CountingReads(open(DiskAccessMode.STANDARD));
    byte[] data = write(directory);
    byte[] into = new byte[CHUNK];
    try (ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, memory, 1);
        RandomChunks chunks = file.openRandom()) {
      for (int chunk = 0; chunk + 2 < CHUNKS; chunk += 2) {
        int position = chunk * CHUNK + 4000;
        for (boolean isCertain : new boolean[] {true, false}) {
          directory.reads = 0;
          chunks.expectEnd(() -> position + 300, isCertain);
          int first = chunks.read(position, into, 0, 300);
          int second = chunks.read(position + first, into, first, 300 - first);
          assertThat(first).isEqualTo(96);
          assertThat(second).isEqualTo(204);
          assertThat(Arrays.copyOf(into, 300))
              .isEqualTo(Arrays.copyOfRange(data, position, position + 300));
          assertThat(directory.reads).isEqualTo(isCertain ? 1 : 2);
          // Elsewhere, so that nothing of it is left.
          chunks.read((chunk + 20L) % CHUNKS * CHUNK + 9, into, 0, 1);
        }
      }
      assertThat(memory.used(MemoryKind.CHUNK_BUFFER)).isLessThan(3 * CHUNK);
    }
  }

  @Test
  void withoutMemoryForTwoChunksEachIsRead() throws IOException {
    Directory directory = open(DiskAccessMode.STANDARD);
    byte[] data = write(directory);
    PooledMemory little = PooledMemory.withLimit(2 * CHUNK);
    byte[] into = new byte[CHUNK];
    try (ChunkedFile file = ChunkedFile.openCompressed(directory, DATA, INFO, little, 1);
        RandomChunks chunks = file.openRandom()) {
      chunks.expectEnd(() -> CHUNK + 50, true);
      assertThat(chunks.read(CHUNK - 10, into, 0, 60)).isEqualTo(10);
      assertThat(chunks.read(CHUNK, into, 10, 50)).isEqualTo(50);
      assertThat(Arrays.copyOf(into, 60))
          .isEqualTo(Arrays.copyOfRange(data, CHUNK - 10, CHUNK + 50));
    }
    little.close();
  }
}
