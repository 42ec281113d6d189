package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers beside writers, flushes, and threads that close what others use. */
class ConcurrentKeyValuesTest {
  private static final int KEYS = 50;
  private static final int ROUNDS = 200 * Integer.getInteger("siltstone.scale", 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());

  private KeyValueStore open() throws IOException {
    return KeyValueStore.open(
        disk, DatabaseOptions.builder().compaction(Compaction.none()).build());
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
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

  /** Each batch gives all keys one value, so that any moment shows one value. */
  private static void writeBatches(KeyValueStore store, int writer) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      KeyValueBatch batch = new KeyValueBatch();
      for (int key = 0; key < KEYS; key++) {
        batch.put(bytes(key), bytes(2 * round + writer));
      }
      store.write(batch);
    }
  }

  private static void checkOneValue(KeyValueStore store, boolean forward) throws IOException {
    try (KeyValueIterator entries = store.iterator()) {
      int count = 0;
      byte[] value = null;
      if (forward) {
        entries.seekToFirst();
      } else {
        entries.seekToLast();
      }
      while (entries.isValid()) {
        assertThat(entries.keyView().getInt()).isEqualTo(forward ? count : KEYS - 1 - count);
        value = value == null ? entries.value() : value;
        assertThat(entries.value()).isEqualTo(value);
        count++;
        if (forward) {
          entries.next();
        } else {
          entries.prev();
        }
      }
      assertThat(count).isIn(0, KEYS);
    }
  }

  @Test
  void aSnapshotSeesBatchesOfSeveralWritersWhollyOrNotAtAll() throws Exception {
    try (KeyValueStore store = open()) {
      AtomicBoolean written = new AtomicBoolean();
      run(
          List.of(
              () -> {
                try {
                  writeBatches(store, 0);
                } finally {
                  written.set(true);
                }
                return null;
              },
              () -> {
                writeBatches(store, 1);
                return null;
              },
              () -> {
                while (!written.get()) {
                  checkOneValue(store, true);
                  checkOneValue(store, false);
                }
                return null;
              },
              () -> {
                while (!written.get()) {
                  store.table().flush();
                }
                return null;
              }));
      checkOneValue(store, true);
    }
    try (KeyValueStore store = open()) {
      checkOneValue(store, true);
    }
  }

  /** A value of a key that was put in place of another one, or of none. */
  private record Step(int key, int before, int after) {}

  private static final int ABSENT = -1;

  /** Values are never put twice, so that it is known which one was replaced. */
  private static List<Step> change(
      KeyValueStore store, Random random, int keys, AtomicInteger lastValue) throws IOException {
    List<Step> done = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int key = random.nextInt(keys);
      int after = lastValue.incrementAndGet();
      byte[] present = random.nextInt(4) == 0 ? null : store.get(bytes(key));
      boolean isWritten =
          present == null
              ? store.putIfAbsent(bytes(key), bytes(after))
              : store.replace(bytes(key), present, bytes(after));
      if (isWritten) {
        int before = present == null ? ABSENT : ByteBuffer.wrap(present).getInt();
        done.add(new Step(key, before, after));
      }
    }
    return done;
  }

  @Test
  void ofThoseWhoReplaceOneValueOneDoes() throws Exception {
    long seed = Long.getLong("siltstone.seed", 17);
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(5);
    AtomicInteger lastValue = new AtomicInteger();
    AtomicInteger running = new AtomicInteger(4);
    List<Step> steps = Collections.synchronizedList(new ArrayList<>());
    try (KeyValueStore store = open()) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int writer = 0; writer < 4; writer++) {
        Random own = new Random(random.nextLong());
        tasks.add(
            () -> {
              try {
                steps.addAll(change(store, own, keys, lastValue));
              } finally {
                running.decrementAndGet();
              }
              return null;
            });
      }
      tasks.add(
          () -> {
            while (running.get() > 0) {
              store.table().flush();
            }
            return null;
          });
      run(tasks);

      for (int key = 0; key < keys; key++) {
        int of = key;
        Map<Integer, Integer> after = new HashMap<>();
        for (Step step : steps) {
          if (step.key == of) {
            assertThat(after.put(step.before, step.after))
                .as("replaced twice; repeat with -Dsiltstone.seed=%s", seed)
                .isNull();
          }
        }
        List<Integer> values = new ArrayList<>();
        Integer last = ABSENT;
        while (last != null) {
          values.add(last);
          last = after.get(last);
        }
        byte[] value = store.get(bytes(key));
        assertThat(values)
            .as("of key %s; repeat with -Dsiltstone.seed=%s", key, seed)
            .hasSize(1 + after.size())
            .endsWith(value == null ? ABSENT : ByteBuffer.wrap(value).getInt());
      }
    }
  }

  private record Opened(KeyValueSnapshot snapshot, KeyValueIterator iterator) {
    void close() throws IOException {
      iterator.close();
      snapshot.close();
    }
  }

  @Test
  void iteratorsAndSnapshotsAreClosedWhileTheyAreUsed() throws Exception {
    try (KeyValueStore store = open()) {
      for (int i = 0; i < 2_000; i++) {
        store.put(bytes(i), new byte[100]);
      }
      store.database().flush();
      Opened first = new Opened(store.snapshot(), store.iterator());
      AtomicReference<Opened> opened = new AtomicReference<>(first);
      AtomicBoolean ended = new AtomicBoolean();
      // An iterator has one user, a snapshot may have several.
      Callable<Void> getter =
          () -> {
            while (!ended.get()) {
              try {
                Opened present = Objects.requireNonNull(opened.get());
                assertThat(present.snapshot.get(bytes(1_500))).hasSize(100);
              } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("is closed");
              }
            }
            return null;
          };
      Callable<Void> walker =
          () -> {
            while (!ended.get()) {
              try {
                Opened present = Objects.requireNonNull(opened.get());
                assertThat(present.snapshot.get(bytes(1_500))).hasSize(100);
                KeyValueIterator entries = present.iterator;
                for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                  assertThat(entries.valueView().remaining()).isEqualTo(100);
                }
                for (entries.seekToLast(); entries.isValid(); entries.prev()) {
                  assertThat(entries.key()).hasSize(4);
                }
              } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("is closed");
              }
            }
            return null;
          };
      Callable<Void> closer =
          () -> {
            try {
              for (int i = 0; i < 300; i++) {
                KeyValueSnapshot next = store.snapshot();
                Objects.requireNonNull(opened.getAndSet(new Opened(next, next.iterator()))).close();
              }
            } finally {
              ended.set(true);
            }
            return null;
          };
      run(List.of(getter, closer, walker));
      Objects.requireNonNull(opened.get()).close();
      assertThat(store.database().statistics().openHandles()).isZero();
    }
  }

  @Test
  void aStoreIsClosedWhileItIsUsed() throws Exception {
    for (int round = 0; round < 10; round++) {
      KeyValueStore store = open();
      store.put(bytes(0), bytes(0));
      AtomicInteger begun = new AtomicInteger();
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int user = 0; user < 3; user++) {
        int number = user;
        tasks.add(
            () -> {
              useUntilClosed(store, new Random(number), begun);
              return null;
            });
      }
      tasks.add(
          () -> {
            while (begun.get() < 200) {
              Thread.onSpinWait();
            }
            store.close();
            return null;
          });
      run(tasks);
    }
  }

  private static void useUntilClosed(KeyValueStore store, Random random, AtomicInteger begun)
      throws IOException {
    try {
      while (true) {
        begun.incrementAndGet();
        switch (random.nextInt(4)) {
          case 0 -> store.put(bytes(random.nextInt(100)), new byte[random.nextInt(1000)]);
          case 1 -> store.get(bytes(random.nextInt(100)));
          case 2 -> store.deleteRange(bytes(random.nextInt(50)), bytes(50 + random.nextInt(50)));
          default -> {
            try (KeyValueIterator entries = store.iterator()) {
              for (entries.seekToLast(); entries.isValid(); entries.prev()) {
                assertThat(entries.key()).hasSize(4);
              }
            }
          }
        }
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("is closed");
    }
  }
}
