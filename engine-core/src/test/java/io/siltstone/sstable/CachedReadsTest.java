package io.siltstone.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.KeyLookup;
import io.siltstone.cache.ReadCaches;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.cursor.Slice;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Point reads through the caches. */
class CachedReadsTest {
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 1);
  private static final int WIDE = 0;
  private static final int PARTITIONS = 200;
  private static final long MANY_BYTES = 1 << 24;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();

  private static PartitionKey key(int i) {
    return SimpleTable.key((byte) (i >> 8), (byte) i);
  }

  /** One wide partition, and narrow ones of one row of 700 bytes. */
  private void write(Directory directory) throws IOException {
    SimpleTable table = new SimpleTable(FormatVersion.OA);
    TableModel.Item[] rows = new TableModel.Item[100];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = table.row(i, 900);
    }
    table.partition(key(WIDE), rows);
    for (int i = 1; i < PARTITIONS; i++) {
      table.partition(key(i), table.row(i, 700));
    }
    ModelTables.write(
        table.model(),
        directory,
        DESCRIPTOR,
        SSTableWriterOptions.builder().expectedPartitions(PARTITIONS).build(),
        memory);
  }

  private SSTable open(Directory directory, ReadCaches caches) throws IOException {
    return SSTable.open(directory, DESCRIPTOR, SSTableOptions.DEFAULT, caches, memory);
  }

  @Test
  void aColdReadIsOneReadOfTheDataAndAWarmOneIsNone() throws IOException {
    CountingDirectory directory = new CountingDirectory(leaks.watch(new MemoryDirectory()));
    write(directory);
    KeyCache keys = KeyCache.withCapacity(MANY_BYTES);
    try (ChunkCache chunks = ChunkCache.withCapacity(MANY_BYTES, memory);
        SSTable table = open(directory, new ReadCaches(chunks, keys));
        PartitionReader reader = table.reader()) {
      // Elsewhere, so that what the reader has at hand is of no use.
      PartitionKey elsewhere = table.lastKey();
      PartitionKey wanted = key(17);
      assertThat(wanted).isNotEqualTo(elsewhere);
      directory.reset();
      assertThat(rows(reader, wanted)).isEqualTo(1);
      assertThat(directory.count(Operation.READ, "*-Data.db")).isEqualTo(1);
      assertThat(directory.count(Operation.READ, "*-Index.db")).isPositive();
      assertThat(reader.reads().chunks()).isEqualTo(1);
      assertThat(reader.reads().bytes()).isEqualTo(directory.bytes(Operation.READ, "*-Data.db"));
      assertThat(reader.reads().hits()).isZero();
      rows(reader, elsewhere);

      directory.reset();
      assertThat(rows(reader, wanted)).isEqualTo(1);
      assertThat(directory.count(Operation.READ)).as(directory.report()).isZero();
      assertThat(reader.reads().chunks()).isZero();
      assertThat(reader.reads().hits()).isPositive();
      assertThat(keys.statistics().hits()).isEqualTo(1);
      assertThat(keys.statistics().misses()).isEqualTo(2);
    }
  }

  @Test
  void aRangeThatBeginsAtAKnownKeyDoesNotReadTheIndex() throws IOException {
    CountingDirectory directory = new CountingDirectory(leaks.watch(new MemoryDirectory()));
    write(directory);
    KeyCache keys = KeyCache.withCapacity(MANY_BYTES);
    try (ChunkCache chunks = ChunkCache.withCapacity(MANY_BYTES, memory);
        SSTable table = open(directory, new ReadCaches(chunks, keys));
        PartitionReader reader = table.reader();
        PartitionReader other = table.reader()) {
      for (int i : new int[] {17, WIDE}) {
        List<PartitionKey> expected = keysFrom(reader, key(i));
        assertThat(expected.get(0)).isEqualTo(key(i));
        directory.reset();
        assertThat(keysFrom(other, key(i))).isEqualTo(expected);
        if (i != WIDE) {
          // The place of a wide partition is that of its index entry.
          assertThat(directory.count(Operation.READ, "*-Index.db")).isZero();
        }
        assertThat(other.isFromKeyCache()).isTrue();
      }
      // No partition has this key, so the next one is searched.
      PartitionKey absent = SimpleTable.key((byte) 0, (byte) 17, (byte) 1);
      assertThat(keysFrom(other, absent).get(0)).isGreaterThan(absent);
      assertThat(other.isFromKeyCache()).isFalse();
      assertThat(keysFrom(other, absent).get(0)).isGreaterThan(absent);
      assertThat(other.isFromKeyCache()).isFalse();
    }
  }

  /** Returns up to three keys, which are copies. */
  private static List<PartitionKey> keysFrom(PartitionReader reader, PartitionKey first)
      throws IOException {
    List<PartitionKey> found = new ArrayList<>();
    assertThat(reader.seekFrom(first)).isTrue();
    while (found.size() < 3 && reader.nextPartition()) {
      PartitionKey copy = new PartitionKey();
      copy.copyFrom(reader.key());
      found.add(copy);
    }
    return found;
  }

  @Test
  void aRowOfAWidePartitionLiesInTheChunkThatItsIndexBlockBeginsIn() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    SimpleTable simple = new SimpleTable(FormatVersion.OA);
    // Partitions before it, so that it does not begin where a chunk does.
    simple.partition(key(1), simple.row(0, 5000));
    simple.partition(key(2), simple.row(0, 5000));
    TableModel.Item[] rows = new TableModel.Item[1000];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = simple.row(i, 300 + i % 7);
    }
    simple.partition(key(WIDE), rows);
    ModelTables.write(
        simple.model(), directory, DESCRIPTOR, SSTableWriterOptions.builder().build(), memory);
    long chunks = 0;
    try (SSTable table = open(directory, new ReadCaches(ChunkCache.off(), KeyCache.off()))) {
      for (int i = 0; i < rows.length; i++) {
        Slice slice =
            simple.slice(ClusteringKind.INCL_START_BOUND, i, ClusteringKind.INCL_END_BOUND, i);
        try (PartitionReader reader = table.reader()) {
          assertThat(reader.seek(key(WIDE), List.of(slice), false)).isTrue();
          assertThat(reader.nextPartition()).isTrue();
          long before = reader.reads().chunks();
          assertThat(reader.nextUnfiltered()).as("row %s", i).isTrue();
          chunks += reader.reads().chunks() - before;
        }
      }
      // Of 50 rows in a chunk one lies across its end; a block across it would make it one of two.
      assertThat((double) chunks / rows.length).isBetween(0.9, 1.05);
    }
  }

  @Test
  void aWidePartitionFoundByTheKeyCacheHasItsIndexBlocks() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(directory);
    SimpleTable simple = new SimpleTable(FormatVersion.OA);
    Slice slice =
        simple.slice(ClusteringKind.INCL_START_BOUND, 95, ClusteringKind.INCL_END_BOUND, 96);
    KeyCache keys = KeyCache.withCapacity(MANY_BYTES);
    try (SSTable table = open(directory, new ReadCaches(ChunkCache.off(), keys))) {
      long all;
      try (PartitionReader reader = table.reader()) {
        assertThat(rows(reader, key(WIDE))).isEqualTo(100);
        all = reader.reads().chunks();
      }
      assertThat(all).isGreaterThan(4);
      for (boolean reversed : new boolean[] {false, true}) {
        try (PartitionReader reader = table.reader()) {
          assertThat(reader.seek(key(WIDE), List.of(slice), reversed)).isTrue();
          int rows = 0;
          while (reader.nextUnfiltered()) {
            rows++;
          }
          assertThat(rows).isEqualTo(2);
          // The partition's head, and where the slice is: not the chunks between.
          assertThat(reader.reads().chunks()).isBetween(1L, 3L);
        }
      }
      assertThat(keys.statistics().hits()).isEqualTo(2);
    }
  }

  @Test
  void aWidePartitionIsReadBackwardWithAsFewReadsAsForward() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(directory);
    readBackward(directory, ReadCaches.NONE);
    // Through a cache, which has no room for a chunk.
    try (ChunkCache chunks = ChunkCache.withCapacity(1, memory)) {
      readBackward(directory, new ReadCaches(chunks, KeyCache.off()));
      assertThat(chunks.statistics().misses()).isPositive();
    }
  }

  private void readBackward(Directory directory, ReadCaches caches) throws IOException {
    List<Slice> all = List.of(Slice.all(new SimpleTable(FormatVersion.OA).encoding()));
    try (SSTable table = open(directory, caches);
        PartitionReader reader = table.reader()) {
      long[] chunks = new long[2];
      for (int direction = 0; direction < 2; direction++) {
        rows(reader, table.lastKey());
        assertThat(reader.seek(key(WIDE), all, direction == 1)).isTrue();
        int rows = 0;
        while (reader.nextUnfiltered()) {
          rows++;
        }
        assertThat(rows).isEqualTo(100);
        chunks[direction] = reader.reads().chunks();
      }
      assertThat(chunks[0]).isGreaterThan(4);
      // One more for the partition's head.
      assertThat(chunks[1]).isBetween(chunks[0], chunks[0] + 1);
    }
  }

  @Test
  void aReaderThatComesBackToAPartitionDoesNotReadItsHeadAgain() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    SerializationHeader header =
        new SerializationHeader(
            CqlTypes.BLOB,
            List.of(CqlTypes.INT),
            List.of(),
            List.of(new HeaderColumn("v", CqlTypes.BLOB)),
            EncodingStats.NONE);
    SimpleTable simple = new SimpleTable(FormatVersion.OA, header);
    TableModel.Item[] rows = new TableModel.Item[100];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = simple.row(i, 900);
    }
    simple.partition(key(1), rows).partition(key(2), rows);
    ModelTables.write(
        simple.model(), directory, DESCRIPTOR, SSTableWriterOptions.builder().build(), memory);
    List<Slice> slices =
        List.of(
            simple.slice(ClusteringKind.INCL_START_BOUND, 50, ClusteringKind.INCL_END_BOUND, 50));
    try (SSTable table = open(directory, ReadCaches.NONE);
        PartitionReader reader = table.reader()) {
      assertThat(reader.seek(key(1), slices, false)).isTrue();
      assertThat(reader.nextUnfiltered()).isTrue();
      long first = reader.reads().chunks();
      assertThat(reader.seek(key(1), slices, false)).isTrue();
      assertThat(reader.nextPartition()).isTrue();
      assertThat(reader.key()).isEqualTo(key(1));
      assertThat(reader.nextUnfiltered()).isTrue();
      assertThat(reader.nextUnfiltered()).isFalse();
      assertThat(reader.reads().chunks()).isEqualTo(first - 1);
      assertThat(reader.seek(key(2), slices, false)).isTrue();
      assertThat(reader.nextPartition()).isTrue();
      assertThat(reader.key()).isEqualTo(key(2));
      assertThat(reader.reads().chunks()).isEqualTo(1);
    }
  }

  @Test
  void anotherKeyOfTheSameHashIsNotMistakenForIt() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(directory);
    KeyCache keys = KeyCache.withCapacity(MANY_BYTES);
    try (SSTable table = open(directory, new ReadCaches(ChunkCache.off(), keys));
        PartitionReader reader = table.reader()) {
      long[] hash = hash(key(5));
      long position;
      assertThat(rows(reader, key(6))).isEqualTo(1);
      KeyLookup lookup = keys.lookup(keys.newTable() - 1);
      long[] other = hash(key(6));
      assertThat(lookup.find(other[0], other[1])).isTrue();
      position = lookup.position();
      lookup.addPartition(hash[0], hash[1], position, 10);
      assertThat(rows(reader, key(5))).isEqualTo(1);
      assertThat(reader.key()).isEqualTo(key(5));
      assertThat(lookup.find(hash[0], hash[1])).isTrue();
      assertThat(lookup.position()).isNotEqualTo(position);
      for (long entry = 0; entry < 60; entry++) {
        lookup.addEntry(hash[0], hash[1], entry);
        assertThat(rows(reader, key(5))).isEqualTo(1);
        assertThat(lookup.find(hash[0], hash[1])).isTrue();
        assertThat(lookup.isOfEntry()).isFalse();
      }
    }
  }

  @Test
  void absentKeysReadNothing() throws IOException {
    CountingDirectory directory = new CountingDirectory(leaks.watch(new MemoryDirectory()));
    write(directory);
    try (ChunkCache chunks = ChunkCache.withCapacity(MANY_BYTES, memory);
        SSTable table = open(directory, new ReadCaches(chunks, KeyCache.off()))) {
      directory.reset();
      int let = 0;
      for (int i = PARTITIONS; i < 10_000; i++) {
        long[] hash = hash(key(i));
        let += table.mightContain(key(i), hash[0], hash[1]) ? 1 : 0;
      }
      assertThat(directory.count(Operation.READ)).isZero();
      assertThat(let).isLessThan(300);
      for (int i = 0; i < PARTITIONS; i++) {
        long[] hash = hash(key(i));
        assertThat(table.mightContain(key(i), hash[0], hash[1])).isTrue();
      }
    }
  }

  @Test
  void scansLeaveTheCachesAlone() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(directory);
    KeyCache keys = KeyCache.withCapacity(MANY_BYTES);
    try (ChunkCache chunks = ChunkCache.withCapacity(MANY_BYTES, memory);
        SSTable table = open(directory, new ReadCaches(chunks, keys))) {
      assertThat(ModelTables.scan(table)).isNotEmpty();
      new SSTableVerifier(table).verify(position -> {});
      assertThat(chunks.statistics().misses() + chunks.statistics().hits()).isZero();
      assertThat(keys.statistics().misses() + keys.statistics().hits()).isZero();
    }
  }

  @Test
  void aClosedTableLeavesNoChunks() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(directory);
    try (ChunkCache chunks = ChunkCache.withCapacity(1L << 30, memory)) {
      try (SSTable table = open(directory, new ReadCaches(chunks, KeyCache.off()));
          PartitionReader reader = table.reader()) {
        rows(reader, key(WIDE));
        assertThat(chunks.statistics().entries()).isGreaterThan(5);
      }
      assertThat(chunks.statistics().entries()).isZero();
    }
    assertThat(memory.used(MemoryKind.CHUNK_CACHE)).isZero();
  }

  /** Cached at any capacity or not, and from whichever reader of the pool: one answer. */
  @Test
  void everyCacheGivesTheSameRows() {
    RandomPartitionsTest.seeds(30)
        .forEach(
            seed -> {
              try {
                check(seed);
              } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
              }
            });
  }

  private void check(long seed) throws IOException {
    Random random = new Random(seed);
    FormatVersion version = RandomPartitions.version(random);
    TableModel model =
        RandomPartitions.of(seed, version, 1 + random.nextInt(20), random.nextInt(300));
    Directory directory = leaks.watch(new MemoryDirectory());
    Descriptor descriptor = Descriptor.of(version, 1);
    ModelTables.write(model, directory, descriptor, RandomPartitionsTest.options(random), memory);
    long chunkBytes = random.nextInt(4) == 0 ? 0 : 1L << random.nextInt(24);
    KeyCache keys = KeyCache.withCapacity(random.nextBoolean() ? 0 : 200 * random.nextInt(20));
    try (ChunkCache chunks = ChunkCache.withCapacity(chunkBytes, memory);
        SSTable table =
            SSTable.open(
                directory,
                descriptor,
                SSTableOptions.DEFAULT,
                new ReadCaches(chunks, keys),
                memory);
        PartitionReaders readers = new PartitionReaders(1 + random.nextInt(3))) {
      for (int i = 0; i < 60; i++) {
        Partition partition = model.partitions().get(random.nextInt(model.partitions().size()));
        List<PartitionReader> held = new ArrayList<>();
        for (int j = random.nextInt(3); j >= 0; j--) {
          held.add(readers.acquire(table));
        }
        for (PartitionReader reader : held) {
          List<Slice> slices = RandomPartitions.slices(random, model, table.encoding(), partition);
          boolean reversed = random.nextBoolean();
          assertThat(ModelTables.read(reader, partition.key(), slices, reversed))
              .isEqualTo(model.read(partition, slices, reversed));
          readers.release(reader);
        }
      }
    }
  }

  /** What a hit allocates, on a real file system: nothing. */
  @Test
  void nothingIsAllocatedPerRead(@TempDir Path folder) throws IOException {
    Directory directory = NioDirectory.open(folder);
    write(directory);
    try (ChunkCache chunks = ChunkCache.withCapacity(MANY_BYTES, memory);
        PartitionReaders readers = new PartitionReaders(4)) {
      for (ReadCaches caches :
          List.of(new ReadCaches(chunks, KeyCache.withCapacity(MANY_BYTES)), ReadCaches.NONE)) {
        try (SSTable table = open(directory, caches)) {
          PartitionKey[] keys = new PartitionKey[PARTITIONS];
          long[][] hashes = new long[PARTITIONS][];
          List<Slice> all = List.of(Slice.all(table.encoding()));
          for (int i = 0; i < PARTITIONS; i++) {
            keys[i] = key(i);
            hashes[i] = hash(keys[i]);
          }
          readAll(readers, table, keys, hashes, all, 2);
          ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
          long before = threads.getCurrentThreadAllocatedBytes();
          readAll(readers, table, keys, hashes, all, 50);
          long allocated = threads.getCurrentThreadAllocatedBytes() - before;
          // The JVM's own, and what Caffeine allocates once in a while.
          assertThat(allocated / (50 * PARTITIONS)).as("bytes allocated per read").isLessThan(16);
          readers.evict(table);
        }
      }
    }
  }

  private static void readAll(
      PartitionReaders readers,
      SSTable table,
      PartitionKey[] keys,
      long[][] hashes,
      List<Slice> slices,
      int rounds)
      throws IOException {
    for (int round = 0; round < rounds; round++) {
      for (int i = 1; i < keys.length; i++) {
        PartitionReader reader = readers.acquire(table);
        if (!reader.seek(keys[i], hashes[i][0], hashes[i][1], slices, false)
            || !reader.nextPartition()
            || countRows(reader) != 1) {
          throw new AssertionError(keys[i] + " is not there");
        }
        readers.release(reader);
      }
    }
  }

  @Test
  void aClosedReaderSaysSo() throws IOException {
    Directory directory = leaks.watch(new MemoryDirectory());
    write(directory);
    try (SSTable table = open(directory, ReadCaches.NONE)) {
      PartitionReader reader = table.reader();
      reader.close();
      assertThatThrownBy(() -> reader.seek(key(1))).isInstanceOf(IllegalStateException.class);
    }
  }

  private static long[] hash(PartitionKey key) {
    long[] hash = new long[2];
    Murmur3Hash.hash(key.bytes(), key.offset(), key.length(), hash);
    return hash;
  }

  private static int rows(PartitionReader reader, PartitionKey key) throws IOException {
    assertThat(reader.seek(key)).isTrue();
    assertThat(reader.nextPartition()).isTrue();
    return countRows(reader);
  }

  private static int countRows(PartitionReader reader) throws IOException {
    int rows = 0;
    while (reader.nextUnfiltered()) {
      Unfiltered row = reader.unfiltered();
      while (row.nextColumn()) {
        while (row.nextCell()) {
          rows += row.valueLength() > 0 ? 1 : 0;
        }
      }
    }
    return rows;
  }
}
