package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Batches that are read before they are written, and batches and snapshots over several stores. */
class KeyValueIndexedBatchTest {
  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final AtomicLong seconds = new AtomicLong(1_700_000_000);
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .partitioner(Partitioner.BYTE_ORDERED)
          .memoryBytes(64 << 20)
          .memtableBytes(16 << 20)
          .chunkCacheBytes(1 << 20)
          .commitLog(CommitLogOptions.builder().maxMutationBytes(100_000).build())
          .clock(() -> Instant.ofEpochSecond(seconds.get()))
          .build();
  private Database database;
  private KeyValueStore a;
  private KeyValueStore b;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(disk, options);
    a = create("a");
    b = create("b");
  }

  private KeyValueStore create(String name) throws IOException {
    database.createTable("CREATE TABLE w." + name + " (key blob PRIMARY KEY, value blob)");
    return KeyValueStore.in(database, "w", name);
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "-" : new String(bytes, StandardCharsets.UTF_8);
  }

  private static List<String> forward(KeyValueIterator entries) throws IOException {
    List<String> all = new ArrayList<>();
    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
      all.add(text(entries.key()) + "=" + text(entries.value()));
    }
    return all;
  }

  private static List<String> entries(KeyValueStore store) throws IOException {
    try (KeyValueIterator entries = store.iterator()) {
      return forward(entries);
    }
  }

  private static List<String> entries(KeyValueIndexedBatch batch, KeyValueStore store)
      throws IOException {
    try (KeyValueIterator entries = batch.iterator(store)) {
      return forward(entries);
    }
  }

  @Test
  void whatIsStagedIsReadByTheBatchAlone() throws IOException {
    a.put(bytes("a1"), bytes("old"));
    a.put(bytes("a2"), bytes("old"));
    a.put(bytes("a3"), bytes("old"));
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.put(a, bytes("a1"), bytes("new"));
      batch.put(b, bytes("b1"), bytes("new"));
      batch.delete(a, bytes("a2"));
      // Another object for the same store.
      assertThat(batch.get(KeyValueStore.in(database, "w", "a"), bytes("a2"))).isNull();
      assertThat(entries(batch, a)).containsExactly("a1=new", "a3=old");
      assertThat(entries(batch, b)).containsExactly("b1=new");
      assertThat(entries(a)).containsExactly("a1=old", "a2=old", "a3=old");
      assertThat(batch.get(a, bytes("a3"))).isEqualTo(bytes("old"));
      // Keys that are not staged show the writes of others.
      a.put(bytes("a1"), bytes("other"));
      a.put(bytes("a4"), bytes("other"));
      assertThat(entries(batch, a)).containsExactly("a1=new", "a3=old", "a4=other");
      batch.commit();
      assertThat(entries(a)).containsExactly("a1=new", "a3=old", "a4=other");
      assertThat(entries(b)).containsExactly("b1=new");
    }
  }

  @Test
  void aDeletedRangeHidesWhatWasThereBeforeAndNotWhatIsPutLater() throws IOException {
    for (String key : List.of("a", "b", "c", "d", "e")) {
      a.put(bytes(key), bytes("old"));
    }
    database.flush();
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.put(a, bytes("b"), bytes("staged before"));
      batch.deleteRange(a, bytes("b"), true, bytes("d"), true);
      batch.put(a, bytes("c"), bytes("staged after"));
      assertThat(entries(batch, a)).containsExactly("a=old", "c=staged after", "e=old");
      assertThat(batch.contains(a, bytes("b"))).isFalse();
      assertThat(batch.size()).isEqualTo(2);
      // Written meanwhile by somebody else, and deleted by the commit.
      a.put(bytes("bb"), bytes("other"));
      assertThat(batch.get(a, bytes("bb"))).isNull();
      batch.commit();
      assertThat(entries(a)).containsExactly("a=old", "c=staged after", "e=old");
      a.put(bytes("bb"), bytes("later"));
      assertThat(a.get(bytes("bb"))).isEqualTo(bytes("later"));
      batch.deleteRange(a, null, null);
      batch.commit();
      assertThat(entries(a)).isEmpty();
    }
  }

  @Test
  void anIteratorShowsWhatWasThereWhenItWasOpened() throws IOException {
    a.put(bytes("a"), bytes("stored"));
    a.put(bytes("b"), bytes("stored"));
    KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database);
    batch.put(a, bytes("c"), bytes("1"));
    try (KeyValueIterator first = batch.iterator(a)) {
      batch.put(a, bytes("c"), bytes("2"));
      batch.deleteRange(a, bytes("a"), bytes("b"));
      try (KeyValueIterator second = batch.iterator(a)) {
        batch.deleteRange(a, null, null);
        batch.put(a, bytes("d"), bytes("3"));
        batch.commit();
        batch.put(a, bytes("e"), bytes("4"));
        batch.close();
        assertThat(forward(first)).containsExactly("a=stored", "b=stored", "c=1");
        assertThat(forward(second)).containsExactly("b=stored", "c=2");
        second.seekToLast();
        second.prev();
        second.next();
        assertThat(second.value()).isEqualTo(bytes("2"));
      }
    }
    assertThat(entries(a)).containsExactly("d=3");
    assertThatThrownBy(() -> batch.get(a, bytes("a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the batch is closed");
    assertThat(database.statistics().openHandles()).isZero();
  }

  @Test
  void bytesOfWhatIsStagedAreReported() throws IOException {
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.put(a, bytes("key"), new byte[1000]);
      long one = batch.approximateBytes();
      assertThat(one).isBetween(1003L, 1500L);
      batch.put(a, bytes("key"), new byte[1000]);
      assertThat(batch.approximateBytes()).isEqualTo(one);
      try (KeyValueIterator open = batch.iterator(a)) {
        for (int i = 0; i < 10; i++) {
          batch.put(a, bytes("key"), new byte[1000]);
        }
        // One version is kept for the iterator.
        assertThat(batch.approximateBytes()).isEqualTo(2 * one);
        open.seekToFirst();
        assertThat(open.value()).hasSize(1000);
      }
      batch.put(a, bytes("key"), new byte[1]);
      assertThat(batch.approximateBytes()).isEqualTo(one - 999);
      batch.deleteRange(b, bytes("from"), bytes("until"));
      assertThat(batch.dataBytes()).isEqualTo(3 + 1 + 4 + 5);
      assertThat(batch).hasToString("2 changes of 13 bytes");
      batch.deleteRange(a, null, null);
      assertThat(batch.dataBytes()).isEqualTo(4 + 5);
      batch.clear();
      assertThat(batch.approximateBytes()).isZero();
    }
  }

  @Test
  void aCommitThatIsRefusedKeepsWhatIsStaged() throws IOException {
    b.put(bytes("b"), bytes("stored"));
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.deleteRange(b, null, null);
      batch.put(a, bytes("large"), new byte[200_000]);
      assertThatThrownBy(batch::commit)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("allowed 100000, maxMutationBytes");
      assertThat(entries(b)).containsExactly("b=stored");
      assertThat(batch.get(a, bytes("large"))).hasSize(200_000);
      batch.put(a, bytes("large"), new byte[10]);
      database.dropTable("w", "b");
      assertThatThrownBy(batch::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was dropped");
      assertThat(entries(a)).isEmpty();
      batch.clear();
      batch.put(a, bytes("a"), bytes("1"));
      batch.commit();
      batch.commit();
      assertThat(entries(a)).containsExactly("a=1");
    }
  }

  @Test
  void aCommitForWhichThereIsNoMemoryKeepsWhatIsStaged() throws IOException {
    DatabaseOptions small =
        History.OPTIONS.toBuilder()
            .partitioner(Partitioner.BYTE_ORDERED)
            .commitLog(CommitLogOptions.builder().build())
            .memoryBytes(8 << 20)
            .build();
    try (KeyValueStore store = KeyValueStore.open(leaks.watch(new MemoryDirectory()), small);
        KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(store.database())) {
      store.put(bytes("old"), bytes("stored"));
      batch.deleteRange(store, null, null);
      batch.put(store, bytes("large"), new byte[9 << 20]);
      assertThatThrownBy(batch::commit).isInstanceOf(OutOfBudgetException.class);
      assertThat(entries(store)).containsExactly("old=stored");
      assertThat(batch.get(store, bytes("large"))).hasSize(9 << 20);
      batch.put(store, bytes("large"), bytes("less"));
      batch.commit();
      assertThat(entries(store)).containsExactly("large=less");
    }
  }

  /** The record has the range, and nothing of the entries in it. */
  @Test
  void aRangeIsDeletedWithMoreEntriesThanFitIntoARecord() throws IOException {
    for (int i = 0; i < 5_000; i++) {
      a.put(bytes("key " + i), bytes("v"));
    }
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.put(a, bytes("key 7"), bytes("before"));
      batch.deleteRange(a, null, null);
      batch.put(a, bytes("key 8"), bytes("after"));
      assertThat(batch.size()).isEqualTo(2);
      batch.commit();
      assertThat(entries(a)).containsExactly("key 8=after");
    }
  }

  @Test
  void theTimeToLiveBeginsWithTheCommit() throws Exception {
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.put(a, bytes("short"), bytes("v"), 10);
      seconds.addAndGet(20);
      assertThat(entries(batch, a)).containsExactly("short=v");
      batch.commitAsync().toCompletableFuture().get(1, TimeUnit.MINUTES);
      seconds.addAndGet(9);
      assertThat(entries(a)).containsExactly("short=v");
      seconds.addAndGet(1);
      assertThat(entries(batch, a)).isEmpty();
      assertThatThrownBy(() -> batch.put(a, bytes("short"), bytes("v"), -1))
          .hasMessageContaining("TTL of -1 s");
    }
  }

  @Test
  void anIteratorOfABatchIsCancelledAndTimed() throws IOException {
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      for (int i = 0; i < 100; i++) {
        batch.put(a, bytes("key " + i), bytes("v"));
      }
      try (KeyValueIterator cancelled = batch.iterator(a);
          KeyValueIterator timed = batch.iterator(a)) {
        cancelled.seekToFirst();
        cancelled.cancel();
        assertThatThrownBy(cancelled::next).isInstanceOf(LiveRows.QueryCancelledException.class);
        timed.timeout(Duration.ofNanos(1));
        assertThatThrownBy(
                () -> {
                  timed.seekToFirst();
                  while (timed.isValid()) {
                    timed.next();
                  }
                  timed.seekToLast();
                  throw new AssertionError("no timeout");
                })
            .isInstanceOf(LiveRows.QueryCancelledException.class);
      }
    }
  }

  @Test
  void snapshotsAreOfOneMomentAndOfOneDatabase() throws IOException {
    a.put(bytes("k"), bytes("1"));
    try (KeyValueSnapshots moment = KeyValueSnapshots.take(a, b, a)) {
      a.write(new KeyValueBatch().put(bytes("k"), bytes("2")).put(b, bytes("k"), bytes("2")));
      assertThat(moment.of(a).get(bytes("k"))).isEqualTo(bytes("1"));
      assertThat(moment.of(KeyValueStore.in(database, "w", "b")).get(bytes("k"))).isNull();
      KeyValueStore other = create("other");
      assertThatThrownBy(() -> moment.of(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no snapshot was taken of w.other, allowed [w.a, w.b]");
      moment.of(a).close();
      assertThat(moment.of(b).contains(bytes("k"))).isFalse();
    }
    assertThat(database.statistics().openHandles()).isZero();
    assertThatThrownBy(KeyValueSnapshots::take).hasMessageContaining("allowed at least one");
    try (KeyValueStore foreign = KeyValueStore.open(new MemoryDirectory(), options);
        KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      String message = "kv.pairs is a store of the database " + foreign.database().path();
      assertThatThrownBy(() -> KeyValueSnapshots.take(a, foreign))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
      assertThatThrownBy(() -> batch.put(foreign, bytes("k"), bytes("v")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
      assertThatThrownBy(() -> a.write(new KeyValueBatch().put(foreign, bytes("k"), bytes("v"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
    }
    database.dropTable("w", "b");
    assertThatThrownBy(() -> KeyValueSnapshots.take(a, b))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("w.b was dropped");
    assertThat(database.statistics().openHandles()).isZero();
  }

  @Test
  void theLengthsOfKeysAndBoundsAreLimitedEverywhere() throws IOException {
    byte[] longest = new byte[65_535];
    byte[] after = new byte[65_536];
    byte[] v = bytes("v");
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database);
        KeyValueSnapshot snapshot = a.snapshot();
        KeyValueIterator entries = a.iterator()) {
      for (byte[] key : List.of(new byte[0], after)) {
        List<Refused> all =
            List.of(
                () -> a.put(key, v),
                () -> a.put(key, v, 1),
                () -> a.putIfAbsent(key, v),
                () -> a.replace(key, v, v),
                () -> a.delete(key),
                () -> a.get(key),
                () -> a.get(key, ByteBuffer.allocate(1)),
                () -> a.contains(key),
                () -> a.multiGet(List.of(key)),
                () -> snapshot.get(key),
                () -> snapshot.contains(key),
                () -> snapshot.multiGet(List.of(key)),
                () -> new KeyValueBatch().put(key, v),
                () -> new KeyValueBatch().put(b, key, v, 1),
                () -> new KeyValueBatch().delete(b, key),
                () -> batch.put(a, key, v),
                () -> batch.put(a, key, v, 1),
                () -> batch.delete(a, key),
                () -> batch.get(a, key),
                () -> batch.contains(a, key));
        for (Refused refused : all) {
          assertThatThrownBy(refused::run)
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage("a key of " + key.length + " bytes, allowed 1 to 65535");
        }
      }
      byte[] tooLong = new byte[65_537];
      List<Refused> bounds =
          List.of(
              () -> a.iterator(tooLong, null).close(),
              () -> a.iterator(null, tooLong).close(),
              () -> a.iterator(tooLong, false, null, false).close(),
              () -> a.iterator(null, true, tooLong, true).close(),
              () -> a.deleteRange(null, tooLong),
              () -> a.estimate(tooLong, null),
              () -> snapshot.iterator(null, tooLong).close(),
              () -> batch.iterator(a, tooLong, null).close(),
              () -> batch.deleteRange(a, null, tooLong),
              () -> entries.seek(tooLong),
              () -> entries.seekForPrev(tooLong));
      for (Refused refused : bounds) {
        assertThatThrownBy(refused::run)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("a bound of keys of 65537 bytes, allowed 0 to 65536");
      }
      List<Refused> prefixes =
          List.of(
              () -> a.iteratorOfPrefix(after).close(),
              () -> snapshot.iteratorOfPrefix(after).close(),
              () -> batch.iteratorOfPrefix(a, after).close());
      for (Refused refused : prefixes) {
        assertThatThrownBy(refused::run)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("a prefix of keys of 65536 bytes, allowed 0 to 65535");
      }
    }
    a.put(longest, v);
    a.put(bytes("z"), v);
    requireCounts(longest, after);
    database.flush();
    requireCounts(longest, after);
  }

  /** Bounds may be empty, or longer by a byte than the longest key, and prefixes empty. */
  private void requireCounts(byte[] longest, byte[] after) throws IOException {
    byte[] empty = {};
    try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
      batch.put(a, bytes("zz"), bytes("v"));
      assertThat(count(a.iterator(empty, null))).isEqualTo(2);
      assertThat(count(a.iterator(empty, empty))).isZero();
      assertThat(count(a.iteratorOfPrefix(empty))).isEqualTo(2);
      assertThat(count(a.iteratorOfPrefix(longest))).isEqualTo(1);
      assertThat(count(a.iterator(null, after))).isEqualTo(1);
      assertThat(count(a.iterator(after, true, null, true))).isEqualTo(1);
      assertThat(count(a.iterator(after, false, null, true))).isEqualTo(1);
      assertThat(count(a.iterator(longest, true, after, true))).isEqualTo(1);
      assertThat(count(a.iterator(longest, false, after, false))).isZero();
      assertThat(count(batch.iterator(a, empty, null))).isEqualTo(3);
      assertThat(count(batch.iteratorOfPrefix(a, empty))).isEqualTo(3);
      assertThat(count(batch.iterator(a, after, null))).isEqualTo(2);
      try (KeyValueIterator entries = batch.iterator(a)) {
        entries.seek(empty);
        assertThat(entries.key()).isEqualTo(longest);
        entries.seekForPrev(after);
        assertThat(entries.key()).isEqualTo(longest);
        entries.seekForPrev(empty);
        assertThat(entries.isValid()).isFalse();
      }
    }
  }

  private static int count(KeyValueIterator opened) throws IOException {
    try (opened) {
      return forward(opened).size();
    }
  }

  @FunctionalInterface
  private interface Refused {
    void run() throws IOException;
  }
}
