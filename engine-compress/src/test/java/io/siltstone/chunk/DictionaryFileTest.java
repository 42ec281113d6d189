package io.siltstone.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose chunks were compressed with a dictionary, which they contain. */
class DictionaryFileTest {
  private static final String DATA = "pa-1-big-Data.db";
  private static final String INFO = "pa-1-big-CompressionInfo.db";
  private static final int CHUNK = 4096;
  private static final CompressionOptions PLAIN =
      CompressionOptions.fromMap(
          Map.of("class", "ZstdDictionaryCompressor", "chunk_length_in_kb", "4"));

  private final Random random = new Random(7);
  private final PooledMemory memory = PooledMemory.unlimited();
  @TempDir private Path folder;

  @AfterEach
  void everyBufferWasReleased() {
    memory.close();
  }

  /** Records of one kind: each has the same hundred names, and values of its own. */
  private byte[] records(int bytes) {
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      for (int field = 0; field < 100; field++) {
        text.append("\"").append(Integer.toString(field * 7_919 + 40_000, 36));
        text.append(Integer.toString(field * 104_729 + 1_000_000, 36));
        text.append("\":").append(random.nextInt(1_000)).append(",");
      }
    }
    return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), bytes);
  }

  private CompressionDictionary trained(long nowMillis) {
    byte[] sample = records(400_000);
    List<byte[]> chunks = new ArrayList<>();
    for (int at = 0; at + CHUNK <= sample.length; at += CHUNK) {
      chunks.add(Arrays.copyOfRange(sample, at, at + CHUNK));
    }
    return CompressionDictionary.train(chunks, PLAIN, nowMillis);
  }

  private Directory directory() throws IOException {
    return NioDirectory.open(folder);
  }

  private void write(String data, String info, CompressionOptions options, byte[] bytes)
      throws IOException {
    try (ChunkWriter writer =
        ChunkWriter.create(directory(), data, info, options, memory, WriteIntent.COMPACTION)) {
      writer.write(bytes, 0, bytes.length);
      writer.finish();
    }
  }

  private static void assertHolds(ChunkedFile file, byte[] bytes) throws IOException {
    byte[] read = new byte[bytes.length];
    try (RandomChunks chunks = file.openRandom()) {
      for (int at = 0; at < read.length; ) {
        at += chunks.read(at, read, at, read.length - at);
      }
    }
    assertThat(read).isEqualTo(bytes);
  }

  @Test
  void aDictionaryMakesSmallChunksSmallerAndComesBackFromTheFile() throws IOException {
    byte[] bytes = records(300_000);
    CompressionDictionary dictionary = trained(1_800_000_000_000L);
    write(DATA, INFO, PLAIN.withDictionary(dictionary), bytes);
    write("plain", "plain-info", PLAIN, bytes);
    assertThat(Files.size(folder.resolve(DATA)))
        .isLessThan(Files.size(folder.resolve("plain")) * 3 / 4);
    try (ChunkedFile file = ChunkedFile.openCompressed(directory(), DATA, INFO, memory, 1);
        ChunkedFile other =
            ChunkedFile.openCompressed(directory(), "plain", "plain-info", memory, 1)) {
      assertThat(file.compression()).isEqualTo(PLAIN.withDictionary(dictionary));
      assertThat(file.compression().dictionary()).isEqualTo(dictionary);
      assertThat(other.compression()).isEqualTo(PLAIN);
      assertThat(other.compression().dictionary()).isNull();
      assertHolds(file, bytes);
      assertHolds(other, bytes);
    }
    try (ChunkedFile file = ChunkedFile.openForSalvage(directory(), DATA, INFO, memory)) {
      assertHolds(file, bytes);
    }
  }

  @Test
  void filesWithOneDictionaryShareItsMemory() throws IOException {
    CompressionDictionary first = trained(1_800_000_000_000L);
    CompressionDictionary second = trained(1_800_000_001_000L);
    byte[] bytes = records(20_000);
    write("1", "1-info", PLAIN.withDictionary(first), bytes);
    write("2", "2-info", PLAIN.withDictionary(first), bytes);
    write("3", "3-info", PLAIN.withDictionary(second), bytes);
    assertThat(memory.used(MemoryKind.COMPRESSION_DICTIONARY)).as("after writing").isZero();
    SharedCompressors compressors = new SharedCompressors(memory);
    try (ChunkedFile one = open("1", compressors)) {
      long taken = memory.used(MemoryKind.COMPRESSION_DICTIONARY);
      assertThat(taken).isEqualTo(SharedCompressors.READING_BYTES + first.length());
      try (ChunkedFile two = open("2", compressors)) {
        assertThat(memory.used(MemoryKind.COMPRESSION_DICTIONARY)).isEqualTo(taken);
        assertThat(two.compression().dictionary())
            .as("once on the heap")
            .isSameAs(one.compression().dictionary());
        assertHolds(two, bytes);
      }
      assertHolds(one, bytes);
      try (ChunkedFile three = open("3", compressors)) {
        assertThat(memory.used(MemoryKind.COMPRESSION_DICTIONARY))
            .isEqualTo(taken + SharedCompressors.READING_BYTES + second.length());
        assertHolds(three, bytes);
        assertHolds(one, bytes);
      }
    }
    assertThat(memory.used(MemoryKind.COMPRESSION_DICTIONARY)).isZero();
    // The dictionary can be used again after its memory was freed.
    try (ChunkedFile one = open("1", compressors)) {
      assertHolds(one, bytes);
    }
  }

  private ChunkedFile open(String name, SharedCompressors compressors) throws IOException {
    return ChunkedFile.openCompressed(directory(), name, name + "-info", memory, compressors, 1);
  }

  /** Contexts are native memory, of which a thousand files would have much. */
  @Test
  void filesOfPlainZstandardShareItsContexts() throws IOException {
    CompressionOptions zstd = PLAIN.withoutDictionary();
    SharedCompressors compressors = new SharedCompressors(memory);
    try (SharedCompressors.Lease one = compressors.acquire(zstd);
        SharedCompressors.Lease two = compressors.acquire(zstd.withChunkLengthInKb(64));
        SharedCompressors.Lease other =
            compressors.acquire(zstd.withDictionary(trained(1_800_000_000_000L)))) {
      assertThat(one.compressor()).isSameAs(two.compressor()).isNotSameAs(other.compressor());
    }
    assertThat(memory.used(MemoryKind.COMPRESSION_DICTIONARY)).isZero();
  }

  @Test
  void theBudgetLimitsDictionaries() throws IOException {
    write(DATA, INFO, PLAIN.withDictionary(trained(1_800_000_000_000L)), records(20_000));
    try (PooledMemory small = PooledMemory.withLimit(SharedCompressors.READING_BYTES)) {
      assertThatThrownBy(() -> ChunkedFile.openCompressed(directory(), DATA, INFO, small, 1))
          .isInstanceOf(OutOfBudgetException.class)
          .hasMessageContaining("COMPRESSION_DICTIONARY");
    }
  }

  @Test
  void eachFlippedBitOfADictionaryIsFound() throws IOException {
    CompressionDictionary dictionary = trained(1_800_000_000_000L);
    write(DATA, INFO, PLAIN.withDictionary(dictionary), records(20_000));
    Path info = folder.resolve(INFO);
    byte[] whole = Files.readAllBytes(info);
    int section = 1 + Long.BYTES + Integer.BYTES + dictionary.length() + Integer.BYTES;
    for (int i = 0; i < 200; i++) {
      byte[] damaged = whole.clone();
      int at = whole.length - section + (i < 20 ? i : random.nextInt(section));
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(info, damaged);
      assertThatThrownBy(
              () -> ChunkedFile.openCompressed(directory(), DATA, INFO, memory, 1).close())
          .as("byte %d", at)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(INFO);
    }
    for (int length = whole.length - section + 1; length < whole.length; length += 101) {
      Files.write(info, Arrays.copyOf(whole, length));
      assertThatThrownBy(
              () -> ChunkedFile.openCompressed(directory(), DATA, INFO, memory, 1).close())
          .as("cut to %d", length)
          .isInstanceOf(CorruptFileException.class);
    }
  }

  /** Even for salvage, since a wrong dictionary gives wrong bytes without an error. */
  @Test
  void aDamagedDictionaryIsNeverUsed() throws IOException {
    write(DATA, INFO, PLAIN.withDictionary(trained(1_800_000_000_000L)), records(20_000));
    Path info = folder.resolve(INFO);
    byte[] whole = Files.readAllBytes(info);
    whole[whole.length - 1000] ^= 1;
    Files.write(info, whole);
    assertThatThrownBy(() -> ChunkedFile.openForSalvage(directory(), DATA, INFO, memory).close())
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("checksum of compression dictionary");
    // Without its end, it is not recognized; and without a dictionary, each chunk would be lost.
    Files.write(info, Arrays.copyOf(whole, whole.length - 1000));
    assertThatThrownBy(() -> ChunkedFile.openForSalvage(directory(), DATA, INFO, memory).close())
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("are not a compression dictionary");
  }

  /** A dictionary is for any compressor of the file, as in Cassandra. */
  @Test
  void theDictionaryOutranksTheNameOfTheCompressor() throws IOException {
    CompressionDictionary dictionary = trained(1_800_000_000_000L);
    byte[] bytes = records(20_000);
    write(DATA, INFO, PLAIN.withDictionary(dictionary), bytes);
    Path info = folder.resolve(INFO);
    byte[] whole = Files.readAllBytes(info);
    byte[] name = "LZ4Compressor".getBytes(StandardCharsets.US_ASCII);
    int rest = Short.BYTES + "ZstdDictionaryCompressor".length();
    ByteBuffer renamed = ByteBuffer.allocate(Short.BYTES + name.length + whole.length - rest);
    renamed.putShort((short) name.length).put(name).put(whole, rest, whole.length - rest);
    Files.write(info, renamed.array());
    try (ChunkedFile file = ChunkedFile.openCompressed(directory(), DATA, INFO, memory, 1)) {
      assertHolds(file, bytes);
    }
  }
}
