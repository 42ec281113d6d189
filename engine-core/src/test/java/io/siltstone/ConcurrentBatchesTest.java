package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Batches over several stores beside readers, flushes and copies of the database. */
class ConcurrentBatchesTest {
  private static final int KEYS = 12;
  private static final int ROUNDS = 300 * Integer.getInteger("siltstone.scale", 1);
  private static final List<String> NAMES = List.of("a", "b", "c");

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .partitioner(Partitioner.BYTE_ORDERED)
          .memoryBytes(64 << 20)
          .memtableBytes(16 << 20)
          .chunkCacheBytes(1 << 20)
          .build();

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static List<KeyValueStore> stores(Database database) {
    return NAMES.stream().map(name -> KeyValueStore.in(database, "w", name)).toList();
  }

  private static void run(List<Callable<Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : threads.invokeAll(tasks, 1, TimeUnit.MINUTES)) {
        done.get();
      }
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static void writePlain(List<KeyValueStore> stores, int value) throws IOException {
    KeyValueBatch batch = new KeyValueBatch();
    for (int key = 0; key < KEYS; key++) {
      for (KeyValueStore store : stores) {
        batch.put(store, bytes(key), bytes(value));
      }
    }
    stores.get(value % stores.size()).write(batch);
  }

  /** Replaces all entries, whose keys the commit has to find. */
  private static void writeIndexed(
      KeyValueIndexedBatch batch, List<KeyValueStore> stores, int value) throws IOException {
    for (KeyValueStore store : stores) {
      batch.deleteRange(store, null, null);
      for (int key = value % 3; key < KEYS; key += 3) {
        batch.put(store, bytes(key), bytes(value));
      }
    }
    batch.commit();
  }

  /** Each batch leaves one value, in the same keys of all stores. */
  private static void requireOneBatch(List<KeyValueStore> stores, KeyValueSnapshots moment)
      throws IOException {
    Set<List<Integer>> found = new HashSet<>();
    Set<Integer> values = new HashSet<>();
    for (KeyValueStore store : stores) {
      Stream.Builder<Integer> keys = Stream.builder();
      try (KeyValueIterator entries = moment.of(store).iterator()) {
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
          keys.add(entries.keyView().getInt());
          values.add(entries.valueView().getInt());
        }
      }
      found.add(keys.build().toList());
    }
    assertThat(values).hasSizeLessThanOrEqualTo(1);
    assertThat(found).hasSize(1);
  }

  private void requireOneBatch(Directory copy) throws IOException {
    DatabaseOptions readOnly = options.toBuilder().readOnly(true).build();
    try (Database opened = Database.open(copy, readOnly);
        KeyValueSnapshots moment = KeyValueSnapshots.take(stores(opened))) {
      requireOneBatch(stores(opened), moment);
    }
  }

  @Test
  void readersOfSeveralStoresSeeEachBatchWhollyOrNotAtAll() throws Exception {
    Directory disk = leaks.watch(new MemoryDirectory());
    try (Database database = Database.open(disk, options)) {
      for (String name : NAMES) {
        database.createTable("CREATE TABLE w." + name + " (key blob PRIMARY KEY, value blob)");
      }
      List<KeyValueStore> stores = stores(database);
      AtomicBoolean written = new AtomicBoolean();
      run(
          List.of(
              () -> {
                try {
                  for (int round = 0; round < ROUNDS; round++) {
                    writePlain(stores, 2 * round);
                  }
                } finally {
                  written.set(true);
                }
                return null;
              },
              () -> {
                try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
                  for (int round = 0; !written.get(); round++) {
                    writeIndexed(batch, stores, 2 * round + 1);
                  }
                }
                return null;
              },
              () -> {
                while (!written.get()) {
                  try (KeyValueSnapshots moment = KeyValueSnapshots.take(stores)) {
                    requireOneBatch(stores, moment);
                  }
                }
                return null;
              },
              () -> {
                for (int i = 0; !written.get(); i++) {
                  stores.get(i % stores.size()).table().flush();
                  if (i % 20 == 0) {
                    Directory copy = new MemoryDirectory();
                    database.checkpoint(copy);
                    requireOneBatch(copy);
                    Backups backups = Backups.in(new MemoryDirectory());
                    requireOneBatch(backups.directory(backups.create(database).id()));
                  }
                }
                return null;
              }));
      try (KeyValueSnapshots moment = KeyValueSnapshots.take(stores)) {
        requireOneBatch(stores, moment);
      }
    }
    requireOneBatch(disk);
  }

  /** Puts numbers that grow, and finds each at once, whether it is committed meanwhile or not. */
  private static void putAndRead(KeyValueIndexedBatch batch, KeyValueStore store, int key)
      throws IOException {
    byte[] own = bytes(key);
    for (int number = 0; number < ROUNDS; number++) {
      batch.put(store, own, bytes(number));
      assertThat(batch.get(store, own)).isEqualTo(bytes(number));
      try (KeyValueIterator entries = batch.iterator(store)) {
        if (number % 2 == 0) {
          entries.seek(own);
        } else {
          entries.seekForPrev(own);
        }
        assertThat(entries.key()).isEqualTo(own);
        assertThat(entries.value()).isEqualTo(bytes(number));
      }
    }
  }

  @Test
  void threadsShareABatchThatIsCommittedMeanwhile() throws Exception {
    Directory disk = leaks.watch(new MemoryDirectory());
    try (Database database = Database.open(disk, options);
        KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      database.createTable("CREATE TABLE w.a (key blob PRIMARY KEY, value blob)");
      KeyValueStore store = KeyValueStore.in(database, "w", "a");
      AtomicInteger running = new AtomicInteger(2);
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int key = 0; key < 2; key++) {
        int own = key;
        tasks.add(
            () -> {
              try {
                putAndRead(batch, store, own);
              } finally {
                running.decrementAndGet();
              }
              return null;
            });
      }
      tasks.add(
          () -> {
            while (running.get() > 0) {
              batch.commit();
            }
            return null;
          });
      run(tasks);
      batch.commit();
      for (int key = 0; key < 2; key++) {
        assertThat(store.get(bytes(key))).isEqualTo(bytes(ROUNDS - 1));
      }
    }
  }
}
