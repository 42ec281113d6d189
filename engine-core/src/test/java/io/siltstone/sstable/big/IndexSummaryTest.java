package io.siltstone.sstable.big;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IndexSummaryTest {
  private static final Pattern RANGE = Pattern.compile("(-?\\d+)\\.\\.(-?\\d+)");

  private static final String NAME = "nb-1-big-Summary.db";
  private static final long ENTRY_BYTES = 40;
  private static final long INDEX_OF_CASSANDRA = 1 << 20;

  private final PooledMemory memory = PooledMemory.withLimit(64 << 20);
  private final MemoryDirectory directory = new MemoryDirectory();

  @AfterEach
  void allMemoryIsGivenBack() {
    memory.close();
  }

  @ParameterizedTest
  @EnumSource(Partitioner.class)
  void findsTheLastSampleNotBehindAKey(Partitioner partitioner) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int interval : new int[] {1, 2, 7, 128}) {
      List<PartitionKey> keys = keys(partitioner, random, 500);
      try (IndexSummary built = summary(keys, interval)) {
        built.write(directory, NAME, WriteIntent.FLUSH);
      }
      try (IndexSummary summary =
          IndexSummary.open(directory, NAME, partitioner, keys.size() * ENTRY_BYTES, memory)) {
        assertThat(summary.size()).isEqualTo((keys.size() + interval - 1) / interval);
        assertThat(summary.firstKey()).isEqualTo(keys.get(0));
        assertThat(summary.lastKey()).isEqualTo(keys.get(keys.size() - 1));
        assertThat(summary.memoryBytes()).isEqualTo(memory.used(MemoryKind.INDEX_SUMMARY));
        for (int i = 0; i < summary.size(); i++) {
          assertThat(summary.key(i)).isEqualTo(keys.get(i * interval).toByteArray());
        }
        for (PartitionKey key : keys(partitioner, random, 500)) {
          int behind = (int) keys.stream().filter(k -> k.compareTo(key) <= 0).count();
          int expected = behind == 0 ? -1 : (behind - 1) / interval;
          assertThat(summary.floorIndex(key)).as("seed %s, %s", seed, key).isEqualTo(expected);
        }
        for (int i = 0; i < keys.size(); i++) {
          int sample = i / interval;
          assertThat(summary.floorIndex(keys.get(i))).as("seed %s", seed).isEqualTo(sample);
          assertThat(summary.position(sample)).isEqualTo((long) sample * interval * ENTRY_BYTES);
        }
      }
      directory.delete(NAME);
    }
  }

  @Test
  void whatCassandraWroteIsWrittenTheSame() throws IOException {
    byte[] original = resource();
    put(original);
    try (IndexSummary summary = openOfCassandra()) {
      assertThat(summary.interval()).isEqualTo(128);
      summary.write(directory, "again", WriteIntent.FLUSH);
    }
    assertThat(content("again")).isEqualTo(original);
  }

  @Test
  void summaryOfABigEndianMachineIsReadAsWell() throws IOException {
    List<PartitionKey> keys = keys(Partitioner.MURMUR3, new Random(1), 40);
    try (IndexSummary built = summary(keys, 4)) {
      built.write(directory, NAME, WriteIntent.FLUSH);
    }
    byte[] original = content(NAME);
    ByteBuffer bytes = ByteBuffer.wrap(original.clone());
    int end = (int) bytes.getLong(8);
    for (int i = bytes.getInt(4) - 1; i >= 0; i--) {
      int offsetAt = IndexSummary.HEADER_BYTES + i * IndexSummary.OFFSET_BYTES;
      int positionAt = IndexSummary.HEADER_BYTES + end - IndexSummary.POSITION_BYTES;
      end = Integer.reverseBytes(bytes.getInt(offsetAt));
      bytes.putInt(offsetAt, end);
      bytes.putLong(positionAt, Long.reverseBytes(bytes.getLong(positionAt)));
    }
    put(bytes.array());
    try (IndexSummary summary =
        IndexSummary.open(
            directory, NAME, Partitioner.MURMUR3, keys.size() * ENTRY_BYTES, memory)) {
      summary.write(directory, "again", WriteIntent.FLUSH);
    }
    assertThat(content("again")).isEqualTo(original);
  }

  @Test
  void everyTruncationIsCorrupt() throws IOException {
    byte[] whole = resource();
    for (int length = 0; length < whole.length; length++) {
      put(Arrays.copyOf(whole, length));
      assertCorrupt("length " + length);
    }
    put(Arrays.copyOf(whole, whole.length + 1));
    assertCorrupt("a byte more");
  }

  @Test
  void everyFlippedByteIsCorruptOrReadInOrder() throws IOException {
    long seed = System.nanoTime();
    List<PartitionKey> keys = keys(Partitioner.MURMUR3, new Random(seed), 40);
    long indexLength = keys.size() * ENTRY_BYTES;
    try (IndexSummary built = summary(keys, 4)) {
      built.write(directory, NAME, WriteIntent.FLUSH);
    }
    byte[] whole = content(NAME);
    int corrupt = 0;
    for (int at = 0; at < whole.length; at++) {
      for (int mask : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) mask;
        put(damaged);
        try (IndexSummary summary =
            IndexSummary.open(directory, NAME, Partitioner.MURMUR3, indexLength, memory)) {
          for (int i = 0; i < summary.size(); i++) {
            assertThat(summary.position(i))
                .as("seed %s, byte %s xor %s", seed, at, mask)
                .isBetween(i == 0 ? 0 : summary.position(i - 1) + 1, indexLength - 1);
          }
        } catch (CorruptSSTableException e) {
          assertThat(e.component()).isEqualTo(Component.SUMMARY);
          assertRangesAreNotEmpty(e.reason());
          corrupt++;
        }
        assertThat(memory.used()).isZero();
      }
    }
    assertThat(corrupt).isGreaterThan(whole.length * 9 / 2);
  }

  private static void assertRangesAreNotEmpty(String reason) {
    Matcher range = RANGE.matcher(reason);
    while (range.find()) {
      assertThat(Long.parseLong(range.group(1)))
          .as(reason)
          .isLessThanOrEqualTo(Long.parseLong(range.group(2)));
    }
  }

  @Test
  void summaryOfAnotherIndexIsCorrupt() throws IOException {
    List<PartitionKey> keys = keys(Partitioner.MURMUR3, new Random(1), 40);
    try (IndexSummary built = summary(keys, 4)) {
      built.write(directory, NAME, WriteIntent.FLUSH);
    }
    long lastPosition = 36 * ENTRY_BYTES;
    IndexSummary.open(directory, NAME, Partitioner.MURMUR3, lastPosition + 1, memory).close();
    assertThatThrownBy(
            () -> IndexSummary.open(directory, NAME, Partitioner.MURMUR3, lastPosition, memory))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining("position " + lastPosition);
    assertThatThrownBy(
            () ->
                IndexSummary.open(
                    directory, NAME, Partitioner.BYTE_ORDERED, 40 * ENTRY_BYTES, memory))
        .isInstanceOf(CorruptSSTableException.class);
  }

  @Test
  void builderGivesBackWhatWasNotBuilt() {
    IndexSummary.Builder builder = new IndexSummary.Builder(1, memory);
    assertThatThrownBy(() -> builder.build(new PartitionKey(), new PartitionKey()))
        .isInstanceOf(IllegalStateException.class);
    builder.add(new PartitionKey(), 0);
    builder.close();
    builder.close();
    assertThat(memory.used()).isZero();
    assertThatThrownBy(() -> new IndexSummary.Builder(0, memory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
  }

  @Test
  void askingAfterCloseThrows() {
    IndexSummary summary = summary(List.of(new PartitionKey()), 1);
    summary.close();
    summary.close();
    assertThatThrownBy(() -> summary.position(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> summary.floorIndex(new PartitionKey()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void budgetLimitsIt() {
    try (PooledMemory little = PooledMemory.withLimit(8192);
        IndexSummary.Builder builder = new IndexSummary.Builder(1, little)) {
      List<PartitionKey> keys = keys(Partitioner.MURMUR3, new Random(1), 2000);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < keys.size(); i++) {
                  builder.add(keys.get(i), i);
                }
              })
          .isInstanceOf(OutOfBudgetException.class);
    }
  }

  private IndexSummary summary(List<PartitionKey> keys, int interval) {
    try (IndexSummary.Builder builder = new IndexSummary.Builder(interval, memory)) {
      for (int i = 0; i < keys.size(); i++) {
        builder.add(keys.get(i), i * ENTRY_BYTES);
      }
      return builder.build(keys.get(0), keys.get(keys.size() - 1));
    }
  }

  private static List<PartitionKey> keys(Partitioner partitioner, Random random, int count) {
    TreeSet<PartitionKey> keys = new TreeSet<>();
    while (keys.size() < count) {
      // Of few different bytes and long common prefixes, so that tokens of byte order are equal.
      byte[] bytes = new byte[random.nextInt(32)];
      for (int i = 8; i < bytes.length; i++) {
        bytes[i] = (byte) (random.nextInt(4) * 85);
      }
      if (random.nextBoolean()) {
        random.nextBytes(bytes);
      }
      PartitionKey key = new PartitionKey();
      key.wrap(bytes, 0, bytes.length, partitioner.token(bytes, 0, bytes.length));
      keys.add(key);
    }
    return new ArrayList<>(keys);
  }

  private void assertCorrupt(String what) {
    assertThatThrownBy(this::openOfCassandra)
        .as(what)
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(Component.SUMMARY.fileName());
    assertThat(memory.used()).isZero();
  }

  private IndexSummary openOfCassandra() throws IOException {
    return IndexSummary.open(directory, NAME, Partitioner.MURMUR3, INDEX_OF_CASSANDRA, memory);
  }

  private void put(byte[] bytes) throws IOException {
    if (directory.exists(NAME)) {
      directory.delete(NAME);
    }
    try (WritableFile file = directory.create(NAME, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(bytes));
    }
  }

  private byte[] content(String name) throws IOException {
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      assertThat(file.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
      return bytes;
    }
  }

  private static byte[] resource() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(IndexSummaryTest.class.getResourceAsStream(NAME), NAME)) {
      return in.readAllBytes();
    }
  }
}
