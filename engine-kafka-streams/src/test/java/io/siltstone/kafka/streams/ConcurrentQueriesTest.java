package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.CHANGELOG;
import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.streams.host.OpenDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyWindowStore;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of several threads while the thread of the task changes, restores or closes a store. */
final class ConcurrentQueriesTest {
  private static final int THREADS = 3;
  private static final int KEYS = 20;
  private static final int READS = 40 * Integer.getInteger("siltstone.scale", 1);

  @TempDir Path directory;

  @AfterEach
  void nothingIsOpenAfterTheLastClose() {
    assertThat(OpenDatabases.areNone()).isTrue();
  }

  /** Threads that repeat a query until they are closed; a store that is closed may refuse it. */
  private static final class Readers implements AutoCloseable {
    /** A query, with what the thread has seen before. */
    interface Read {
      /** Returns what the next read of the thread is to be given. */
      long read(long before) throws Exception;
    }

    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger behind = new AtomicInteger(THREADS);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isEnding;

    Readers(Read read) {
      for (int i = 0; i < THREADS; i++) {
        Thread thread = new Thread(() -> repeat(read));
        threads.add(thread);
        thread.start();
      }
    }

    private void repeat(Read read) {
      long before = 0;
      int done = 0;
      while (!isEnding && failures.isEmpty()) {
        try {
          before = read.read(before);
          if (++done == READS) {
            behind.decrementAndGet();
          }
        } catch (InvalidStateStoreException e) {
          if (e.getClass() != InvalidStateStoreException.class) {
            failures.add(e);
          }
        } catch (Throwable e) {
          failures.add(e);
        }
      }
    }

    /** Returns whether a thread has not made enough queries yet. */
    boolean isBehind() {
      return behind.get() > 0 && failures.isEmpty();
    }

    @Override
    public void close() {
      isEnding = true;
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  private static byte[] value(long generation) {
    return bytes(Long.toString(generation));
  }

  private static long generation(byte[] value) {
    return Long.parseLong(text(value));
  }

  private static Bytes keyOf(int i) {
    return key("key" + i);
  }

  private static void putAll(KeyValueStore<Bytes, byte[]> store, long generation) {
    for (int i = 0; i < KEYS; i++) {
      store.put(keyOf(i), value(generation));
    }
  }

  /** Returns the generations of the entries of all keys. */
  private static List<Long> generations(KeyValueIterator<?, byte[]> all) {
    List<Long> found = new ArrayList<>();
    try (all) {
      all.forEachRemaining(entry -> found.add(generation(entry.value)));
    }
    return found;
  }

  @Test
  void queriesOfWhatIsCommittedSeeWholeCommitsInTheirOrder() throws Exception {
    StoreContext context = new StoreContext(directory, 0).transactional();
    KeyValueStore<Bytes, byte[]> store = Entries.open("store", context);
    putAll(store, 0);
    Entries.commit(store, 0);
    ReadOnlyKeyValueStore<Bytes, byte[]> view = store.readOnly(IsolationLevel.READ_COMMITTED);
    QueryConfig committed = new QueryConfig(false, IsolationLevel.READ_COMMITTED);
    Readers.Read read =
        before -> {
          List<Long> ofView = generations(view.all());
          QueryResult<KeyValueIterator<Bytes, byte[]>> result =
              store.query(
                  RangeQuery.<Bytes, byte[]>withNoBounds(), PositionBound.unbounded(), committed);
          List<Long> ofQuery = generations(result.getResult());
          long first = ofView.get(0);
          long second = ofQuery.get(0);
          assertThat(ofView).hasSize(KEYS).containsOnly(first);
          assertThat(ofQuery).hasSize(KEYS).containsOnly(second);
          assertThat(first).isGreaterThanOrEqualTo(before);
          assertThat(second).isGreaterThanOrEqualTo(first);
          // The values of the result include all records up to the position that it reports.
          Map<Integer, Long> position = result.getPosition().getPartitionPositions("input");
          assertThat(second).isGreaterThanOrEqualTo(position.getOrDefault(0, 0L));
          return second;
        };
    try (Readers readers = new Readers(read)) {
      for (long generation = 1; readers.isBehind(); generation++) {
        context.processing("input", 0, generation);
        putAll(store, generation);
        Entries.commit(store, generation);
      }
    }
    store.close();
  }

  @Test
  void windowsOfSeveralSegmentsAreThoseOfOneCommit() throws Exception {
    StoreContext context = new StoreContext(directory, 0).transactional();
    WindowStore<Bytes, byte[]> store =
        SiltstoneStores.persistentWindowStore(
                "windows", Duration.ofMinutes(10), Duration.ofMinutes(1), false)
            .get();
    store.init(context, store);
    putWindows(store, 0);
    ReadOnlyWindowStore<Bytes, byte[]> view = store.readOnly(IsolationLevel.READ_COMMITTED);
    Instant end = Instant.ofEpochMilli(600_000);
    Readers.Read read =
        before -> {
          List<Long> all = generations(view.fetchAll(Instant.EPOCH, end));
          List<Long> backward = generations(view.backwardFetchAll(Instant.EPOCH, end));
          assertThat(all).hasSize(10).containsOnly(all.get(0));
          assertThat(all.get(0)).isGreaterThanOrEqualTo(before);
          assertThat(backward).hasSize(10).containsOnly(backward.get(0));
          assertThat(backward.get(0)).isGreaterThanOrEqualTo(all.get(0));
          return backward.get(0);
        };
    try (Readers readers = new Readers(read)) {
      for (long generation = 1; readers.isBehind(); generation++) {
        putWindows(store, generation);
      }
    }
    store.close();
  }

  /** Commits windows of each of ten minutes, in three segments. */
  private static void putWindows(WindowStore<Bytes, byte[]> store, long generation) {
    for (int minute = 0; minute < 10; minute++) {
      store.put(key("k"), value(generation), 60_000L * minute);
    }
    store.commit(Map.of(CHANGELOG, generation));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void queriesGoOnWhileTheStoreIsRestored(boolean transactional) throws Exception {
    StoreContext context = new StoreContext(directory, 0);
    KeyValueStore<Bytes, byte[]> store =
        Entries.open("store", transactional ? context.transactional() : context);
    putAll(store, 0);
    Entries.commit(store, 0);
    Readers.Read read =
        before -> {
          List<Long> all = generations(store.range(key("key"), key("keyz")));
          long least = Collections.min(all);
          assertThat(all).hasSize(KEYS);
          assertThat(least).isGreaterThanOrEqualTo(before);
          assertThat(generation(store.get(keyOf(KEYS - 1)))).isGreaterThanOrEqualTo(least);
          return least;
        };
    byte[] padding = new byte[200_000];
    try (Readers readers = new Readers(read)) {
      for (long generation = 1; readers.isBehind(); generation++) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
          records.add(StoreContext.changelog(keyOf(i).get(), value(generation), null));
        }
        // Large enough for bulk restores, which each read ends.
        for (int i = 0; i < 30; i++) {
          records.add(StoreContext.changelog(bytes("zzz"), padding, null));
        }
        records.add(StoreContext.changelog(bytes("zzz"), null, null));
        context.restore(records);
        store.commit(Map.of(CHANGELOG, generation));
      }
    }
    store.close();
  }

  /** The database is closed with the store in every other round, as no other store is open. */
  @Test
  void queriesOfAStoreThatIsClosedWipedAndOpenedAgainAreAnsweredOrRefused() throws Exception {
    StoreContext context = new StoreContext(directory, 0);
    KeyValueStore<Bytes, byte[]> entries = Entries.open("entries", context);
    WindowStore<Bytes, byte[]> windows =
        SiltstoneStores.persistentWindowStore(
                "windows", Duration.ofMinutes(1), Duration.ofSeconds(1), false)
            .get();
    windows.init(context, windows);
    VersionedBytesStore versions =
        (VersionedBytesStore)
            SiltstoneStores.persistentVersionedKeyValueStore("versions", Duration.ofMinutes(1))
                .get();
    versions.init(context, versions);
    Readers.Read read =
        before -> {
          readWindows(windows);
          readVersions(versions);
          assertThat(generations(entries.all())).hasSizeLessThanOrEqualTo(KEYS);
          return before;
        };
    try (Readers readers = new Readers(read)) {
      for (int round = 0; readers.isBehind(); round++) {
        for (int i = 0; i < KEYS; i++) {
          windows.put(keyOf(i), value(round), 1000L * i);
          versions.put(keyOf(0), value(round), 1000L * i);
        }
        putAll(entries, round);
        Entries.commit(entries, round);
        KeyValueStore<Bytes, byte[]> other =
            round % 2 == 0 ? null : Entries.open("other", new StoreContext(directory, 1));
        entries.close();
        windows.close();
        versions.close();
        if (round % 4 < 2) {
          Utils.delete(context.taskDirectory().toFile());
        }
        versions.init(context, versions);
        windows.init(context, windows);
        entries.init(context, entries);
        if (other != null) {
          other.close();
        }
      }
    }
    entries.close();
    windows.close();
    versions.close();
  }

  private static void readWindows(WindowStore<Bytes, byte[]> windows) {
    try (KeyValueIterator<?, byte[]> all = windows.all()) {
      all.forEachRemaining(entry -> assertThat(generation(entry.value)).isNotNegative());
    }
    try (var some = windows.fetch(keyOf(1), Instant.EPOCH, Instant.ofEpochMilli(60_000))) {
      some.forEachRemaining(entry -> assertThat(generation(entry.value)).isNotNegative());
    }
  }

  private static void readVersions(VersionedBytesStore versions) {
    byte[] found = versions.get(keyOf(0));
    assertThat(found == null || found.length > Long.BYTES).isTrue();
    MultiVersionedKeyQuery<Bytes, byte[]> query = MultiVersionedKeyQuery.withKey(keyOf(0));
    QueryResult<VersionedRecordIterator<byte[]>> result =
        versions.query(query, PositionBound.unbounded(), new QueryConfig(false));
    try (VersionedRecordIterator<byte[]> all = result.getResult()) {
      while (all.hasNext()) {
        VersionedRecord<byte[]> each = all.next();
        assertThat(generation(each.value())).isNotNegative();
      }
    }
  }
}
