package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A memtable that several threads write is spread over many shards, while it is written and read:
 * nobody sees less than before.
 */
class SpreadMemtablesTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int TABLES = 12 * SCALE;
  private static final int WRITERS = 2;
  private static final int KEYS = 120;
  // Enough for a memtable to be spread.
  private static final int VALUE_BYTES = 700;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .compaction(Compaction.none())
        .partitioner(Partitioner.BYTE_ORDERED)
        .chunkCacheBytes(0)
        .build();
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static byte[] value(int number) {
    return ByteBuffer.allocate(VALUE_BYTES).putInt(number).array();
  }

  private static int number(byte[] value) {
    return ByteBuffer.wrap(value).getInt();
  }

  private static MemtableStatistics memtable(KeyValueStore store) throws IOException {
    return store.table().statistics().memtable();
  }

  @Test
  void whatIsWrittenAndReadMeanwhileIsWhole() throws Exception {
    try (Database database = Database.open(disk, options())) {
      List<KeyValueStore> stores = stores(database);
      AtomicBoolean ended = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
      try {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          writers.add(threads.submit(task(() -> write(stores, writer))));
        }
        List<Future<Void>> readers =
            List.of(
                threads.submit(task(() -> readBatches(stores, ended))),
                threads.submit(task(() -> readPoints(stores, ended))));
        try {
          for (Future<Void> writer : writers) {
            writer.get();
          }
        } finally {
          ended.set(true);
        }
        for (Future<Void> reader : readers) {
          reader.get();
        }
      } finally {
        threads.shutdownNow();
      }
      requireAll(stores);
      for (KeyValueStore store : stores) {
        assertThat(memtable(store).operations()).isEqualTo(WRITERS * KEYS * 3L);
        store.table().flush();
      }
      requireAll(stores);
    }
    try (Database database = Database.open(disk, options())) {
      requireAll(stores(database));
    }
  }

  private static List<KeyValueStore> stores(Database database) throws IOException {
    List<String> names = IntStream.range(0, TABLES).mapToObj(i -> "t" + i).toList();
    return KeyValueStore.createIn(database, "ks", names, KeyValueStore.DEFAULT_TABLE_OPTIONS);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static Callable<Void> task(Work work) {
    return () -> {
      work.run();
      return null;
    };
  }

  /** Puts keys of its own, each of which it reads at once, and keys of all writers by batches. */
  private static void write(List<KeyValueStore> stores, int writer) throws IOException {
    // All writers write the same table, so that they wait for each other.
    for (KeyValueStore store : stores) {
      for (int i = 0; i < KEYS; i++) {
        int own = 1000 * (writer + 1) + i;
        store.put(key(own), value(own));
        assertThat(number(requireThere(store.get(key(own))))).isEqualTo(own);
        // Two keys that always have the same value, mostly of different shards.
        store.write(
            new KeyValueBatch().put(key(i), value(writer)).put(key(i + KEYS), value(writer)));
      }
    }
  }

  private static byte[] requireThere(byte @Nullable [] value) {
    assertThat(value).isNotNull();
    return value;
  }

  private static void readBatches(List<KeyValueStore> stores, AtomicBoolean ended)
      throws IOException {
    Random random = new Random(SEED);
    while (!ended.get()) {
      KeyValueStore store = stores.get(random.nextInt(stores.size()));
      try (KeyValueSnapshot snapshot = store.snapshot()) {
        for (int i = 0; i < KEYS; i++) {
          byte[] one = snapshot.get(key(i));
          byte[] other = snapshot.get(key(i + KEYS));
          assertThat(one == null).isEqualTo(other == null);
          if (one != null && other != null) {
            assertThat(number(one)).isEqualTo(number(other));
          }
        }
      }
    }
  }

  /** A reader does not lose rows that it has seen before. */
  private static void readPoints(List<KeyValueStore> stores, AtomicBoolean ended)
      throws IOException {
    Random random = new Random(SEED + 1);
    boolean[][] seen = new boolean[stores.size()][KEYS];
    while (!ended.get()) {
      int index = random.nextInt(stores.size());
      int i = random.nextInt(KEYS);
      boolean isThere = stores.get(index).get(key(1000 + i)) != null;
      assertThat(isThere || !seen[index][i]).isTrue();
      seen[index][i] = isThere;
    }
  }

  private static void requireAll(List<KeyValueStore> stores) throws IOException {
    for (KeyValueStore store : stores) {
      for (int writer = 0; writer < WRITERS; writer++) {
        for (int i = 0; i < KEYS; i++) {
          int own = 1000 * (writer + 1) + i;
          assertThat(number(requireThere(store.get(key(own))))).isEqualTo(own);
        }
      }
    }
  }
}
