package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Split;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Estimates of random stores and tables beside what is really there. */
class EstimateTest {
  private static final int RUNS = 6;
  private static final int KEYS = 12_000;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  @TempDir Path temporary;

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  private static DatabaseOptions options(Partitioner partitioner) {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .partitioner(partitioner)
        .memtableBytes(16 << 20)
        .memoryBytes(64 << 20)
        .chunkCacheBytes(1 << 20)
        .build();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(6).putInt(number).array();
  }

  @Test
  void entriesOfRangesAreEstimated() throws IOException {
    Long one = Long.getLong("siltstone.seed");
    long runs = RUNS * (long) Integer.getInteger("siltstone.scale", 1);
    for (long seed = one == null ? 0 : one; seed < (one == null ? runs : one + 1); seed++) {
      try {
        run(new Random(new SplittableRandom(seed).nextLong()));
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
  }

  private void run(Random random) throws IOException {
    CountingDirectory counting = new CountingDirectory(new MemoryDirectory());
    TreeSet<Integer> all = new TreeSet<>();
    try (KeyValueStore store =
        KeyValueStore.open(leaks.watch(counting), options(Partitioner.BYTE_ORDERED))) {
      // Sets of keys that overlap by chance; of which the last may stay in the memtable.
      int sets = 1 + random.nextInt(4);
      for (int i = 0; i < sets; i++) {
        int share = 1 + random.nextInt(4);
        for (int k = 0; k < KEYS; k++) {
          if (random.nextInt(share) == 0) {
            store.put(key(k), new byte[20]);
            all.add(k);
          }
        }
        if (i + 1 < sets || random.nextBoolean()) {
          store.table().flush();
        }
      }
      counting.reset();
      TableStatistics.Estimate whole = store.estimate(null, null);
      assertThat(whole.partitions()).isCloseTo(all.size(), Percentage.withPercentage(5));
      assertThat(whole.rows()).isEqualTo(whole.partitions());
      TableStatistics statistics = store.table().statistics();
      assertThat(whole.dataBytes())
          .isEqualTo(statistics.sstables().dataBytes() + statistics.memtable().dataBytes());
      assertThat(whole.onDiskBytes()).isEqualTo(statistics.sstables().onDiskBytes());
      for (int i = 0; i < 10; i++) {
        int from = random.nextInt(KEYS);
        int to = from + random.nextInt(KEYS - from);
        NavigableSet<Integer> there = all.subSet(from, true, to, false);
        TableStatistics.Estimate part = store.estimate(key(from), key(to));
        // A set is wrong by two samples, which are 128 keys each; and by how they overlap.
        assertThat((double) part.partitions())
            .isBetween(there.size() * 0.85 - 20, there.size() * 1.15 + 20);
        double share = (double) (to - from) / KEYS;
        assertThat((double) part.dataBytes())
            .isBetween(whole.dataBytes() * (share - 0.08), whole.dataBytes() * (share + 0.08));
      }
      assertThat(store.estimate(key(KEYS), null))
          .isEqualTo(new TableStatistics.Estimate(0, 0, 0, 0));
      assertThat(counting.count(Operation.READ, "*-Data.db")).isZero();
    }
  }

  @Test
  void smallRangesOfOneSSTableAreExact() throws IOException {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    DatabaseOptions options =
        options(Partitioner.BYTE_ORDERED).toBuilder()
            .clock(() -> now.updateAndGet(time -> time.plusMillis(1)))
            .build();
    try (KeyValueStore store = KeyValueStore.open(leaks.watch(new MemoryDirectory()), options)) {
      // Timestamps count from the opening: so long after it, all take the same number of bytes.
      now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
      for (int k = 0; k < KEYS; k++) {
        store.put(key(k), new byte[20]);
      }
      store.table().flush();
      for (int size : new int[] {0, 1, 7, 300, 2_000}) {
        TableStatistics.Estimate part = store.estimate(key(5_000), key(5_000 + size));
        assertThat(part.partitions()).isEqualTo(size);
        assertThat(part.dataBytes())
            .isEqualTo(size * (store.table().statistics().sstables().dataBytes() / KEYS));
      }
      assertThat(store.estimate(null, key(700)).partitions()).isEqualTo(700);
      assertThat(store.estimate(key(KEYS - 700), null).partitions()).isEqualTo(700);
    }
  }

  @Test
  void rowsAndTokensOfATableAndOfItsFiles() throws IOException {
    Path directory = temporary.resolve("db");
    TableStatistics.Estimate whole;
    try (Database database = Database.open(directory, options(Partitioner.MURMUR3))) {
      Table table =
          database.createTable("CREATE TABLE w.t (k int, c int, v int, PRIMARY KEY (k, c))");
      for (int i = 0; i < KEYS; i++) {
        table.write(table.mutation(i / 10).insert(i).set("v", i).build());
      }
      assertThat(table.estimate(PartitionRange.ALL).partitions()).isEqualTo(KEYS / 10);
      table.flush();
      whole = table.estimate(PartitionRange.ALL);
      assertThat(whole.partitions()).isEqualTo(KEYS / 10);
      assertThat(whole.rows()).isEqualTo(KEYS);
      TableStatistics.Estimate half = table.estimate(PartitionRange.ofTokens(0, Long.MAX_VALUE));
      TableStatistics.Estimate other = table.estimate(PartitionRange.ofTokens(Long.MIN_VALUE, -1));
      assertThat(half.dataBytes() + other.dataBytes()).isEqualTo(whole.dataBytes());
      assertThat(half.rows() + other.rows()).isBetween(KEYS - 1L, KEYS + 1L);
      try (LiveRows rows = table.read(table.query().tokens(0, Long.MAX_VALUE).build())) {
        assertThat((double) half.rows())
            .isCloseTo((double) rows.stream().count(), Percentage.withPercentage(2));
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      Path of =
          files
              .filter(file -> file.resolve("schema.cql").toFile().exists())
              .findAny()
              .orElseThrow();
      try (OfflineTable table = OfflineTable.openReadOnly(of)) {
        assertThat(table.estimate(PartitionRange.ALL)).isEqualTo(whole);
        long rows = 0;
        int splits = 0;
        for (Split split : table.splits(whole.dataBytes() / 8)) {
          try (LiveRows read = table.read(table.query().split(split).build())) {
            rows += read.stream().count();
            splits++;
          }
        }
        assertThat(rows).isEqualTo(KEYS);
        assertThat(splits).isBetween(6, 10);
      }
    }
  }
}
