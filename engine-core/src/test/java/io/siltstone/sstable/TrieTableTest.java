package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.Slice;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.index.KeyEntries;
import io.siltstone.sstable.index.PartitionLookup;
import io.siltstone.sstable.index.PartitionSample;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * SSTables of the BTI format: what reading them costs, and what is known of their keys without
 * reading all of them. {@link RandomPartitionsTest} reads random ones.
 */
class TrieTableTest {
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.DA, 1);
  private static final int MANY = 20_000;
  private static final int ROWS = 400;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final SimpleTable simple = new SimpleTable(FormatVersion.DA);

  private static PartitionKey key(int number) {
    return SimpleTable.key(SimpleTable.intBytes(number));
  }

  private void write(TableModel model, Directory directory) throws IOException {
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .expectedPartitions(model.partitions().size())
            .columnIndexSizeBytes(1024)
            .build();
    ModelTables.write(model, directory, DESCRIPTOR, options, memory);
  }

  /** Writes blocks as long as chunks are, so that nearly each of them lies in two chunks. */
  private void writeInSmallChunks(TableModel model, Directory directory) throws IOException {
    SSTableWriterOptions options =
        SSTableWriterOptions.builder()
            .compression(
                CompressionOptions.fromMap(
                    Map.of("class", "LZ4Compressor", "chunk_length_in_kb", "1")))
            .columnIndexSizeBytes(1024)
            .build();
    ModelTables.write(model, directory, DESCRIPTOR, options, memory);
  }

  private SSTable open(Directory directory) throws IOException {
    return SSTable.open(directory, DESCRIPTOR, SSTableOptions.DEFAULT, memory);
  }

  private TableModel manyKeys() {
    // Sorted once: the builder would sort after each.
    List<Partition> partitions = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      partitions.addAll(
          new SimpleTable(FormatVersion.DA)
              .partition(key(i), simple.row(1, 10))
              .model()
              .partitions());
    }
    partitions.sort(java.util.Comparator.comparing(Partition::key));
    return new TableModel(simple.model().header(), simple.model().partitioner(), partitions);
  }

  private TableModel wide() {
    Item[] rows = new Item[ROWS];
    for (int i = 0; i < ROWS; i++) {
      rows[i] = simple.row(2 * i, 90);
    }
    return new SimpleTable(FormatVersion.DA)
        .partition(key(1), rows)
        .partition(key(2), simple.row(1, 700))
        .model();
  }

  @Test
  void openingReadsTheFooterOfTheKeysOnly() throws IOException {
    CountingDirectory directory = new CountingDirectory(leaks.watch(new MemoryDirectory()));
    write(manyKeys(), directory);
    directory.reset();

    try (SSTable table = open(directory)) {
      assertThat(directory.bytes(Operation.READ, "*-Partitions.db")).isLessThan(200);
      assertThat(directory.bytes(Operation.READ, "*-Rows.db")).isZero();
      assertThat(table.summaryOffHeapBytes()).isZero();
    }
  }

  @Test
  void aColdReadIsOneReadOfTheData() throws IOException {
    CountingDirectory directory = new CountingDirectory(leaks.watch(new MemoryDirectory()));
    write(manyKeys(), directory);
    try (SSTable table = open(directory)) {
      for (int i = 0; i < 50; i++) {
        try (PartitionReader reader = table.reader()) {
          directory.reset();
          assertThat(ModelTables.read(reader, key(397 * i))).hasSize(2);
          assertThat(directory.count(Operation.READ, "*-Data.db")).isEqualTo(1);
          assertThat(directory.count(Operation.READ, "*-Partitions.db")).isBetween(1L, 4L);
          assertThat(reader.indexReads().reads())
              .isEqualTo(directory.count(Operation.READ, "*-Partitions.db"));
        }
      }
    }
  }

  /** The index checks the keys around a missing key that the bloom filter lets pass. */
  @Test
  void keysThatAreNotThereAreNotFound() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(manyKeys(), directory);
    try (SSTable table = open(directory);
        PartitionReader reader = table.reader()) {
      int chunks = 0;
      for (int i = MANY; i < MANY + 2000; i++) {
        PartitionKey absent = key(i);
        assertThat(reader.seek(absent)).as("%s", absent).isFalse();
        chunks += reader.reads().chunks();
      }
      assertThat(chunks).isLessThan(2000 / 20);
    }
  }

  /** Checks of missing keys read the data, so that they are limited where few keys are found. */
  @Test
  void fewOfManyMissingKeysAreCheckedUnlessOthersAreFound() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    TableModel model = manyKeys();
    // Without a filter each missing key is looked up in the trie.
    SSTableWriterOptions options = SSTableWriterOptions.builder().bloomFilterFpChance(1).build();
    ModelTables.write(model, directory, DESCRIPTOR, options, memory);
    try (SSTable table = open(directory);
        PartitionReader reader = table.reader()) {
      int checked = readMissing(reader, MANY, MANY + 2000);
      assertThat(checked).isBetween(2000 / 16, 2000 / 8);
      for (int i = 0; i < 100; i++) {
        assertThat(reader.seek(key(i))).isTrue();
      }
      // Two or three keys have no neighbor to be checked, as they are after all others.
      assertThat(readMissing(reader, MANY + 2000, MANY + 2016)).isBetween(13, 16);
    }
  }

  /** Returns how many of the missing keys the reader has read the data for. */
  private static int readMissing(PartitionReader reader, int from, int to) throws IOException {
    int checked = 0;
    for (int i = from; i < to; i++) {
      assertThat(reader.seek(key(i))).isFalse();
      checked += reader.reads().chunks() > 0 ? 1 : 0;
    }
    return checked;
  }

  @Test
  void aPartitionIsExpectedToEndWhereTheNextOneBegins() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    TableModel model = manyKeys();
    write(model, directory);
    ReadCaches caches = new ReadCaches(ChunkCache.off(), KeyCache.withCapacity(1 << 20));
    try (SSTable table =
            SSTable.open(directory, DESCRIPTOR, SSTableOptions.DEFAULT, caches, memory);
        PartitionLookup lookup = table.lookup()) {
      List<Long> positions = new ArrayList<>();
      try (KeyEntries entries = table.indexEntries()) {
        while (entries.next()) {
          positions.add(entries.dataPosition());
        }
      }
      positions.add(Long.MAX_VALUE);
      for (int i = 0; i < MANY; i += i < MANY - 200 ? 97 : 1) {
        PartitionKey key = model.partitions().get(i).key();
        long[] hash = new long[2];
        Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
        assertThat(lookup.recall(hash[0], hash[1])).isFalse();
        assertThat(lookup.find(key, hash[1])).isTrue();
        assertThat(lookup.dataPosition()).isEqualTo(positions.get(i));
        assertThat(lookup.dataEnd()).isEqualTo(positions.get(i + 1));
        assertThat(lookup.dataPosition()).isEqualTo(positions.get(i));
        lookup.remember(hash[0], hash[1]);
        // The next key has another end.
        assertThat(lookup.find(model.partitions().get(0).key(), firstHash(model))).isTrue();
        assertThat(lookup.recall(hash[0], hash[1])).isTrue();
        assertThat(lookup.dataPosition()).isEqualTo(positions.get(i));
        long end = positions.get(i + 1);
        assertThat(lookup.dataEnd()).isBetween(end, end == Long.MAX_VALUE ? end : end + 4);
      }
    }
  }

  private static long firstHash(TableModel model) {
    PartitionKey key = model.partitions().get(0).key();
    long[] hash = new long[2];
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    return hash[1];
  }

  @Test
  void samplesAndSizesOfRangesAreThoseOfTheKeys() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    TableModel model = manyKeys();
    write(model, directory);
    List<PartitionKey> keys = model.partitions().stream().map(Partition::key).toList();
    try (SSTable table = open(directory)) {
      for (int most : new int[] {1, 7, 100}) {
        List<PartitionSample> samples = table.samples(most);
        assertThat(samples).hasSizeBetween(Math.max(1, most * 9 / 10), most);
        assertThat(samples.get(0).key()).isEqualTo(keys.get(0));
        int before = -1;
        for (PartitionSample sample : samples) {
          int at = keys.indexOf(sample.key());
          assertThat(at - before).isBetween(1, before < 0 ? 1 : 3 * MANY / most);
          before = at;
        }
      }
      for (int at : new int[] {1, 10, 5000, MANY - 1}) {
        PartitionKey sample = table.sampleBefore(keys.get(at));
        assertThat(at - keys.indexOf(sample)).isBetween(1, 200);
      }
      assertThat(table.sampleBefore(keys.get(0))).isNull();
      for (int[] range : new int[][] {{0, 10}, {3, 3}, {100, 2000}, {15_000, MANY - 1}}) {
        PartitionRange partitions = new PartitionRange(keys.get(range[0]), keys.get(range[1]));
        double expected = range[1] - range[0];
        assertThat((double) RangeSize.of(table, partitions).partitions())
            .isBetween(0.9 * expected, 1.1 * expected);
      }
    }
  }

  @Test
  void stretchesBeginWhereKeysAndRowsAre() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    TableModel model = wide();
    write(model, directory);
    ClusteringComparator order = new ClusteringComparator(model.header().clusteringTypes());
    try (SSTable table = open(directory)) {
      List<IndexStretches.Rows> stretches = IndexStretches.ofRows(table, key(1), 4096);
      assertThat(stretches).hasSizeBetween(5, 20);
      Clustering before = simple.at(ClusteringKind.CLUSTERING, -1);
      for (IndexStretches.Rows stretch : stretches) {
        assertThat(order.compare(before, stretch.first())).isNegative();
        before = stretch.first();
      }
      assertThat(stretches.get(0).first().value(0)).isEqualTo(SimpleTable.intBytes(0));
      assertThat(IndexStretches.ofRows(table, key(2), 4096)).isEmpty();
      assertThat(IndexStretches.ofPartitions(table, 100))
          .extracting(PartitionSample::key)
          .containsExactlyInAnyOrder(key(1), key(2));
    }
  }

  @Test
  void eachRowOfAWidePartitionIsFoundForwardAndReversed() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    TableModel model = wide();
    writeInSmallChunks(model, directory);
    try (SSTable table = open(directory);
        PartitionReader reader = table.reader()) {
      requireAllRows(model, reader);
    }
  }

  /** Looks up rows that exist, that would lie between two others, and beyond both ends. */
  private void requireAllRows(TableModel model, PartitionReader reader) throws IOException {
    Partition partition =
        model.partitions().stream().filter(p -> p.key().equals(key(1))).findFirst().orElseThrow();
    for (int i = -1; i <= 2 * ROWS; i++) {
      List<Slice> slices = List.of(Slice.of(simple.at(ClusteringKind.CLUSTERING, i)));
      for (boolean reversed : new boolean[] {false, true}) {
        assertThat(ModelTables.read(reader, partition.key(), slices, reversed))
            .as("row %s", i)
            .isEqualTo(model.read(partition, slices, reversed));
      }
    }
  }

  /**
   * A block lies in two chunks, of which the one that has the row is decompressed. One row in ten
   * goes on in the next chunk. The static row, in the first chunk, takes one more.
   */
  @Test
  void aRowOfAWidePartitionTakesOneChunkIfItLiesInOne() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    writeInSmallChunks(wide(), directory);
    try (SSTable table = open(directory);
        PartitionReader reader = table.reader()) {
      for (boolean reversed : new boolean[] {false, true}) {
        long chunks = 0;
        // Each row is far from the one before, whose chunk may be at hand.
        for (int i = 0; i < ROWS; i++) {
          int row = 2 * (i * 167 % ROWS);
          List<Slice> slices = List.of(Slice.of(simple.at(ClusteringKind.CLUSTERING, row)));
          assertThat(ModelTables.read(reader, key(1), slices, reversed)).hasSize(2);
          chunks += reader.reads().chunks();
        }
        assertThat(chunks).as("reversed: %s", reversed).isBetween(2L * ROWS - 20, 23L * ROWS / 10);
      }
    }
  }

  /** The walk goes back by the sizes that rows have of those before them, in all blocks. */
  @Test
  void aReversedSliceReadsEachChunkOnce() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    TableModel model = wide();
    writeInSmallChunks(model, directory);
    try (SSTable table = open(directory);
        PartitionReader reader = table.reader()) {
      Slice all = Slice.all(table.encoding());
      Partition partition =
          model.partitions().stream().filter(p -> p.key().equals(key(1))).findFirst().orElseThrow();
      assertThat(ModelTables.read(reader, key(1), List.of(all), true))
          .isEqualTo(model.read(partition, List.of(all), true));
      assertThat(reader.reads().chunks()).isLessThanOrEqualTo(1 + table.dataLength() / 1024);
    }
  }

  /** Reads return no wrong row, whichever single bit of {@code Rows.db} is flipped. */
  @Test
  void aFlippedBitInTheIndexOfRowsIsFoundOrDoesNotMatter() throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    TableModel model = wide();
    writeInSmallChunks(model, directory);
    String name = DESCRIPTOR.fileName(Component.ROWS);
    byte[] original = DamagedTable.content(directory, name);
    long seed = Long.getLong("siltstone.seed", 7);
    Random random = new Random(seed);
    int found = 0;
    int flips = 40 * Integer.getInteger("siltstone.scale", 1);
    for (int i = 0; i < flips; i++) {
      int bit = random.nextInt(8 * original.length);
      byte[] flipped = original.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      directory.delete(name);
      DamagedTable.put(directory, name, flipped);
      try (SSTable table = open(directory);
          PartitionReader reader = table.reader()) {
        requireAllRows(model, reader);
      } catch (CorruptSSTableException e) {
        // A key that contradicts the trie of keys may be wrong in either.
        assertThat(e.component()).as("%s", e).isIn(Component.ROWS, Component.PARTITIONS);
        found++;
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", bit " + bit + ": " + e.getMessage(), e);
      }
    }
    assertThat(found).isPositive();
  }

  @Test
  void nothingIsAllocatedPerLookUp(@TempDir Path folder) throws IOException {
    Directory directory = NioDirectory.open(folder);
    writeInSmallChunks(wide(), directory);
    List<List<Slice>> slices = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      slices.add(List.of(Slice.of(simple.at(ClusteringKind.CLUSTERING, 2 * i))));
    }
    PartitionKey wide = key(1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (SSTable table = open(directory);
        PartitionReader reader = table.reader()) {
      readRows(reader, wide, slices, 100);
      long before = threads.getCurrentThreadAllocatedBytes();
      readRows(reader, wide, slices, 20);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated / (20 * 2 * ROWS)).as("bytes allocated per read").isLessThan(16);
    }
  }

  private static void readRows(
      PartitionReader reader, PartitionKey key, List<List<Slice>> slices, int rounds)
      throws IOException {
    for (int round = 0; round < 2 * rounds; round++) {
      for (List<Slice> slice : slices) {
        if (!reader.seek(key, slice, (round & 1) == 1)
            || !reader.nextPartition()
            || !reader.nextUnfiltered()) {
          throw new AssertionError("a row is not there");
        }
      }
    }
  }

  @Test
  void aMissingFileOfTheIndexIsNamed() throws IOException {
    for (Component component : FormatVersion.DA.indexComponents()) {
      Directory directory = leaks.watch(new MemoryDirectory());
      write(wide(), directory);
      directory.delete(DESCRIPTOR.fileName(Component.TOC));
      directory.delete(DESCRIPTOR.fileName(component));
      assertThatThrownBy(() -> open(directory))
          .isInstanceOfSatisfying(
              CorruptSSTableException.class, e -> assertThat(e.component()).isEqualTo(component))
          .hasMessageContaining("missing");
    }
  }

  @Test
  void aDamagedCompressionDictionaryIsNamed() throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    Descriptor descriptor = Descriptor.of(FormatVersion.PA, 1);
    ModelTables.write(
        wide(), directory, descriptor, SSTableWriterOptions.builder().build(), memory);
    SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory).close();
    String name = descriptor.fileName(Component.COMPRESSION_INFO);
    byte[] info = DamagedTable.content(directory, name);
    byte[] dictionary = {1, 2, 3};
    ByteBuffer with = ByteBuffer.allocate(info.length + 1 + 8 + 4 + dictionary.length + 4);
    with.put(info).put((byte) 0).putLong(17).putInt(dictionary.length).put(dictionary).putInt(5);
    directory.delete(name);
    DamagedTable.put(directory, name, with.array());

    assertThatThrownBy(() -> SSTable.open(directory, descriptor, SSTableOptions.DEFAULT, memory))
        .isInstanceOf(CorruptSSTableException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("checksum of compression dictionary 17 of 3 bytes");
  }
}
