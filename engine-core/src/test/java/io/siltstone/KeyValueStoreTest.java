package io.siltstone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.TableOptions;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeyValueStoreTest {
  private static final String PAIRS = "CREATE TABLE kv.pairs (key blob PRIMARY KEY, value blob)";

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final Directory disk = leaks.watch(new MemoryDirectory());
  private final AtomicLong seconds = new AtomicLong(1_700_000_000);
  private final List<String> leaked = new ArrayList<>();
  private final DatabaseOptions options =
      DatabaseOptions.builder()
          .compaction(Compaction.none())
          .clock(() -> Instant.ofEpochSecond(seconds.get()))
          .listener(
              new EngineListener() {
                @Override
                public void handleLeaked(HandleLeaked event) {
                  leaked.add(event.handle());
                }
              })
          .build();

  private KeyValueStore open() throws IOException {
    seconds.incrementAndGet();
    return KeyValueStore.open(disk, options);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static void put(KeyValueStore store, String... keys) throws IOException {
    for (String key : keys) {
      store.put(bytes(key), bytes("value of " + key));
    }
  }

  private static String get(KeyValueStore store, String key) throws IOException {
    byte[] value = store.get(bytes(key));
    return value == null ? "-" : new String(value, UTF_8);
  }

  private static List<String> forward(KeyValueIterator entries) throws IOException {
    List<String> keys = new ArrayList<>();
    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
      keys.add(new String(entries.key(), UTF_8));
    }
    return keys;
  }

  private static List<String> backward(KeyValueIterator entries) throws IOException {
    List<String> keys = new ArrayList<>();
    for (entries.seekToLast(); entries.isValid(); entries.prev()) {
      keys.add(new String(entries.key(), UTF_8));
    }
    return keys;
  }

  private static List<String> keys(KeyValueStore store) throws IOException {
    try (KeyValueIterator entries = store.iterator()) {
      return forward(entries);
    }
  }

  private static String at(KeyValueIterator entries) {
    return entries.isValid() ? new String(entries.key(), UTF_8) : "-";
  }

  @Test
  void whatIsPutIsThereUntilItIsDeletedAlsoAfterReopening() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "b", "c");
      store.database().flush();
      store.delete(bytes("b"));
      store.delete(bytes("not there"));
      store.put(bytes("c"), bytes("value of c, the second"));
      store.put(bytes("empty"), new byte[0]);
      assertThat(get(store, "a")).isEqualTo("value of a");
      assertThat(get(store, "b")).isEqualTo("-");
      assertThat(get(store, "c")).isEqualTo("value of c, the second");
      assertThat(get(store, "empty")).isEmpty();
      assertThat(store.contains(bytes("empty"))).isTrue();
      assertThat(store.contains(bytes("b"))).isFalse();
      assertThat(keys(store)).containsExactly("a", "c", "empty");
    }
    try (KeyValueStore store = open()) {
      assertThat(get(store, "a")).isEqualTo("value of a");
      assertThat(get(store, "b")).isEqualTo("-");
      store.put(bytes("b"), bytes("again"));
      assertThat(get(store, "b")).isEqualTo("again");
    }
  }

  @Test
  void aValueIsCopiedAsFarAsThereIsRoomAndItsLengthIsTold() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a");
      ByteBuffer buffer = ByteBuffer.allocate(20).position(3);
      assertThat(store.get(bytes("xay"), 1, 1, buffer)).isEqualTo("value of a".length());
      assertThat(new String(buffer.array(), 3, buffer.position() - 3, UTF_8))
          .isEqualTo("value of a");
      ByteBuffer small = ByteBuffer.allocateDirect(5);
      assertThat(store.get(bytes("a"), small)).isEqualTo("value of a".length());
      assertThat(UTF_8.decode(small.flip()).toString()).isEqualTo("value");
      assertThat(store.get(bytes("b"), buffer)).isEqualTo(KeyValueStore.MISSING);
    }
  }

  @Test
  void keysAreOrderedByUnsignedBytesAndPrefixesComeFirst() throws IOException {
    try (KeyValueStore store = open()) {
      List<byte[]> keys =
          List.of(
              new byte[] {0},
              new byte[] {0, 0},
              new byte[] {1, 2, 3, 4, 5, 6, 7, 8},
              new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 0},
              new byte[] {1, 2, 3, 4, 5, 6, 7, 8, -1},
              new byte[] {127},
              new byte[] {-128},
              new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1});
      for (int i = keys.size() - 1; i >= 0; i--) {
        store.put(keys.get(i), bytes("" + i));
      }
      try (KeyValueIterator entries = store.iterator()) {
        int expected = 0;
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
          assertThat(entries.key()).isEqualTo(keys.get(expected++));
        }
        assertThat(expected).isEqualTo(keys.size());
        for (entries.seekToLast(); entries.isValid(); entries.prev()) {
          assertThat(entries.key()).isEqualTo(keys.get(--expected));
        }
        assertThat(expected).isZero();
      }
    }
  }

  @Test
  void keysHaveOneTo65535Bytes() throws IOException {
    try (KeyValueStore store = open()) {
      byte[] longest = new byte[65_535];
      Arrays.fill(longest, (byte) -1);
      store.put(longest, bytes("longest"));
      store.database().flush();
      assertThat(store.get(longest)).isEqualTo(bytes("longest"));
      try (KeyValueIterator entries = store.iterator()) {
        entries.seekToLast();
        assertThat(entries.key()).isEqualTo(longest);
        entries.seekForPrev(longest);
        assertThat(entries.key()).isEqualTo(longest);
      }
      for (byte[] wrong : List.of(new byte[0], new byte[65_536])) {
        String message = wrong.length + " bytes, allowed 1 to 65535";
        assertThatThrownBy(() -> store.put(wrong, longest))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(message);
        assertThatThrownBy(() -> store.get(wrong))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(message);
        assertThatThrownBy(() -> store.delete(wrong)).hasMessageContaining(message);
        assertThatThrownBy(() -> new KeyValueBatch().delete(wrong)).hasMessageContaining(message);
      }
    }
  }

  @Test
  void entriesExpire() throws IOException {
    TableOptions tableOptions = TableOptions.builder().defaultTimeToLive(100).build();
    try (KeyValueStore store = KeyValueStore.open(disk, options, tableOptions)) {
      store.put(bytes("forever"), bytes("value of forever"), 0);
      store.put(bytes("short"), bytes("value of short"), 0);
      store.put(bytes("short"), bytes("value of short"), 10);
      store.put(bytes("default"), bytes("value of default"));
      store.write(new KeyValueBatch().put(bytes("batch"), bytes("value of batch"), 50));
      assertThat(keys(store)).containsExactly("batch", "default", "forever", "short");
      try (KeyValueSnapshot before = store.snapshot()) {
        seconds.addAndGet(10);
        assertThat(keys(store)).containsExactly("batch", "default", "forever");
        assertThat(get(store, "short")).isEqualTo("-");
        store.database().flush();
        seconds.addAndGet(90);
        assertThat(keys(store)).containsExactly("forever");
        assertThat(before.get(bytes("short"))).isEqualTo(bytes("value of short"));
        try (KeyValueIterator entries = before.iterator()) {
          assertThat(forward(entries)).containsExactly("batch", "default", "forever", "short");
        }
      }
      assertThatThrownBy(() -> store.put(bytes("a"), bytes("b"), -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("TTL of -1 s");
      assertThatThrownBy(() -> new KeyValueBatch().put(bytes("a"), bytes("b"), -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("TTL of -1 s");
    }
  }

  @Test
  void aLaterChangeOfABatchWins() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "b");
      byte[] reused = bytes("c");
      KeyValueBatch batch =
          new KeyValueBatch()
              .put(bytes("a"), bytes("one"))
              .delete(bytes("a"))
              .delete(bytes("b"))
              .put(bytes("b"), bytes("one"))
              .put(bytes("b"), bytes("two"))
              .put(reused, reused);
      reused[0] = 'x';
      assertThat(batch.size()).isEqualTo(6);
      assertThat(batch.dataBytes()).isEqualTo(6 + 3 + 3 + 3 + 1);
      store.write(batch);
      assertThat(get(store, "a")).isEqualTo("-");
      assertThat(get(store, "b")).isEqualTo("two");
      assertThat(get(store, "c")).isEqualTo("c");
      put(store, "a");
      store.write(batch);
      assertThat(get(store, "a")).isEqualTo("-");
      batch.clear();
      assertThat(batch.size()).isZero();
      store.write(batch);
    }
  }

  @Test
  void anEntryIsPutIfItIsAbsentAndReplacedIfItIsAsExpected() throws IOException {
    try (KeyValueStore store = open()) {
      assertThat(store.replace(bytes("a"), new byte[0], bytes("none"))).isFalse();
      assertThat(store.putIfAbsent(bytes("a"), bytes("one"))).isTrue();
      assertThat(store.putIfAbsent(bytes("a"), bytes("two"))).isFalse();
      store.database().flush();
      assertThat(store.replace(bytes("a"), bytes("two"), bytes("three"))).isFalse();
      assertThat(store.replace(bytes("a"), bytes("one"), bytes("three"))).isTrue();
      assertThat(get(store, "a")).isEqualTo("three");
      store.delete(bytes("a"));
      assertThat(store.putIfAbsent(bytes("a"), bytes("four"))).isTrue();
      store.put(bytes("short"), bytes("one"), 10);
      seconds.addAndGet(10);
      assertThat(store.replace(bytes("short"), bytes("one"), bytes("two"))).isFalse();
      assertThat(store.putIfAbsent(bytes("short"), bytes("two"))).isTrue();
      assertThat(get(store, "short")).isEqualTo("two");
      assertThatThrownBy(() -> store.putIfAbsent(new byte[0], bytes("x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 bytes, allowed 1 to 65535");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller without such checks can do
  void noValueIsNoExpectation() throws IOException {
    try (KeyValueStore store = open()) {
      assertThatThrownBy(() -> store.replace(bytes("a"), null, bytes("x")))
          .isInstanceOf(NullPointerException.class)
          .hasMessage("expected");
      assertThat(get(store, "a")).isEqualTo("-");
    }
  }

  @Test
  void aBatchIsThereAtOnceAndItsStageIsDoneWhenItIsDurable() throws Exception {
    // Nothing is synced unless somebody asks for it.
    CommitLogOptions group =
        CommitLogOptions.builder()
            .syncMode(SyncMode.GROUP)
            .groupWindow(Duration.ofHours(1))
            .build();
    DatabaseOptions synced = options.toBuilder().commitLog(group).build();
    SimulatedDisk lost = new SimulatedDisk(FileSystemModel.JOURNALED);
    KeyValueStore store = KeyValueStore.open(lost, synced);
    CompletableFuture<Void> none = store.writeAsync(new KeyValueBatch()).toCompletableFuture();
    assertThat(none).isCompleted();
    KeyValueBatch batch = new KeyValueBatch().put(bytes("a"), bytes("one"));
    CompletableFuture<Void> written = store.writeAsync(batch).toCompletableFuture();
    batch.clear();
    assertThat(get(store, "a")).isEqualTo("one");
    assertThat(written).isNotDone();
    store.database().sync();
    written.get(10, TimeUnit.SECONDS);
    try (KeyValueStore again = KeyValueStore.open(lost.powerLoss(43), synced)) {
      assertThat(get(again, "a")).isEqualTo("one");
    }
    assertThatThrownBy(store::close).isInstanceOf(IOException.class);
  }

  @Test
  void aDeletionThatTheFormatVersionCannotHoldIsRefused() throws IOException {
    DatabaseOptions old = options.toBuilder().formatVersion(FormatVersion.NB).build();
    seconds.set(Instant.parse("2040-01-01T00:00:00Z").getEpochSecond());
    try (KeyValueStore store = KeyValueStore.open(disk, old)) {
      put(store, "a");
      assertThatThrownBy(() -> store.delete(bytes("a")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2208988800");
    }
    try (KeyValueStore store = KeyValueStore.open(disk, old)) {
      assertThat(get(store, "a")).isEqualTo("value of a");
    }
  }

  @Test
  void aRangeIsDeletedWithoutItsEnd() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "b", "c", "d", "e");
      store.database().flush();
      put(store, "bb", "cc");
      store.deleteRange(bytes("b"), bytes("d"));
      assertThat(keys(store)).containsExactly("a", "d", "e");
      store.deleteRange(bytes("b"), bytes("b"));
      store.deleteRange(null, bytes("b"));
      assertThat(keys(store)).containsExactly("d", "e");
      assertThatThrownBy(() -> store.deleteRange(bytes("e"), bytes("d")))
          .isInstanceOf(IllegalArgumentException.class);
      store.deleteRange(bytes("e"), null);
      assertThat(keys(store)).containsExactly("d");
      for (int i = 0; i < 3000; i++) {
        put(store, "many" + i);
      }
      store.deleteRange(bytes("many"), bytes("n"));
      assertThat(keys(store)).containsExactly("d");
    }
  }

  @Test
  void aRangeThatEndsBeforeItBeginsIsRefusedWithItsKeys() throws IOException {
    try (KeyValueStore store = open()) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> store.deleteRange(bytes("b"), bytes("a")),
              () -> store.iterator(bytes("b"), bytes("a")))) {
        assertThatThrownBy(call)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("keys from 0x62 to 0x61")
            .hasMessageNotContaining("token");
      }
      byte[] large = new byte[5000];
      large[0] = 1;
      assertThatThrownBy(() -> store.deleteRange(large, new byte[1]))
          .hasMessageContaining("(5000 bytes)");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // as a caller without such checks
  void whatIsNullIsRefusedByItsName() throws IOException {
    try (KeyValueStore store = open();
        KeyValueSnapshot snapshot = store.snapshot();
        KeyValueIterator entries = store.iterator()) {
      byte[] some = bytes("a");
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> store.put(null, some),
              () -> store.put(null, some, 1),
              () -> store.putIfAbsent(null, some),
              () -> store.replace(null, some, some),
              () -> store.delete(null),
              () -> store.get(null),
              () -> store.get(null, ByteBuffer.allocate(1)),
              () -> store.contains(null),
              () -> new KeyValueBatch().put(null, some),
              () -> new KeyValueBatch().put(null, some, 1),
              () -> new KeyValueBatch().delete(null),
              () -> snapshot.get(null),
              () -> snapshot.contains(null),
              () -> entries.seek(null),
              () -> entries.seekForPrev(null))) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage("key");
      }
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> store.put(some, null),
              () -> store.putIfAbsent(some, null),
              () -> store.replace(some, some, null),
              () -> new KeyValueBatch().put(some, null))) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage("value");
      }
      assertThatThrownBy(() -> store.iteratorOfPrefix(null)).hasMessage("prefix");
      assertThatThrownBy(() -> snapshot.iteratorOfPrefix(null)).hasMessage("prefix");
      store.put(some, some);
      assertThat(store.get(some)).isEqualTo(some);
    }
  }

  @Test
  void aRangeIsDeletedThatIsMoreThanTheMemoryForWrites() throws IOException {
    DatabaseOptions small =
        options.toBuilder().memtableBytes(1 << 20).chunkCacheBytes(0).memoryBytes(24 << 20).build();
    try (KeyValueStore store = KeyValueStore.open(disk, small)) {
      for (int i = 0; i < 40; i++) {
        KeyValueBatch batch = new KeyValueBatch();
        for (int k = 0; k < 1_000; k++) {
          batch.put(bytes(1_000 * i + k), bytes("x"));
        }
        store.write(batch);
      }
      store.deleteRange(null, bytes(39_999));
      try (KeyValueIterator entries = store.iterator()) {
        entries.seekToFirst();
        assertThat(entries.keyView().getInt()).isEqualTo(39_999);
      }
    }
  }

  @Test
  void aRangeOfKeysIsDeletedOfWhichFewFitInTheLog() throws IOException {
    CommitLogOptions log = CommitLogOptions.builder().maxMutationBytes(32 << 10).build();
    try (KeyValueStore store =
        KeyValueStore.open(disk, options.toBuilder().commitLog(log).build())) {
      for (int i = 0; i < 20; i++) {
        store.put(ByteBuffer.allocate(5_000 + 1_000 * i).putInt(i).array(), bytes("x"));
      }
      store.deleteRange(null, null);
      assertThat(keys(store)).isEmpty();
    }
  }

  @Test
  void aDeletedRangeIsAsDurableAsTheSyncModePromises() throws IOException {
    CommitLogOptions batch = CommitLogOptions.builder().syncMode(SyncMode.BATCH).build();
    DatabaseOptions synced = options.toBuilder().commitLog(batch).build();
    for (int count : List.of(1_023, 1_024, 1_025)) {
      SimulatedDisk disk = new SimulatedDisk(FileSystemModel.JOURNALED);
      KeyValueStore store = KeyValueStore.open(disk, synced);
      KeyValueBatch entries = new KeyValueBatch();
      for (int i = 0; i < count; i++) {
        entries.put(bytes(i), bytes("x"));
      }
      store.write(entries);
      store.deleteRange(null, null);
      try (KeyValueStore again = KeyValueStore.open(disk.powerLoss(41), synced)) {
        assertThat(keys(again)).as("of %s", count).isEmpty();
      }
      assertThatThrownBy(store::close).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aSnapshotSeesOneMoment() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "b", "c");
      store.database().flush();
      put(store, "d");
      KeyValueIterator late;
      try (KeyValueSnapshot before = store.snapshot();
          KeyValueIterator early = store.iterator()) {
        store.delete(bytes("a"));
        store.put(bytes("b"), bytes("new"));
        put(store, "e");
        store.database().flush();
        store.deleteRange(null, null);
        assertThat(before.get(bytes("a"))).isEqualTo(bytes("value of a"));
        assertThat(before.get(bytes("b"))).isEqualTo(bytes("value of b"));
        assertThat(before.get(bytes("e"))).isNull();
        ByteBuffer into = ByteBuffer.allocate(100);
        assertThat(before.get(bytes("e"), into)).isEqualTo(KeyValueStore.MISSING);
        assertThat(before.get(bytes("d"), into)).isEqualTo(10);
        assertThat(forward(early)).containsExactly("a", "b", "c", "d");
        late = before.iterator(bytes("b"), null);
      }
      // It outlives its snapshot.
      try (late) {
        assertThat(backward(late)).containsExactly("d", "c", "b");
        assertThat(forward(late)).containsExactly("b", "c", "d");
      }
      assertThat(keys(store)).isEmpty();
    }
  }

  @Test
  void anIteratorTurnsBackAndSeeksWithinItsRange() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "b", "d", "f", "h", "k");
      store.database().flush();
      put(store, "c");
      store.delete(bytes("h"));
      try (KeyValueIterator entries = store.iterator(bytes("c"), bytes("k"))) {
        assertThat(at(entries)).isEqualTo("-");
        entries.seekToFirst();
        assertThat(at(entries)).isEqualTo("c");
        entries.next();
        entries.next();
        assertThat(at(entries)).isEqualTo("f");
        entries.prev();
        assertThat(at(entries)).isEqualTo("d");
        entries.next();
        assertThat(at(entries)).isEqualTo("f");
        entries.next();
        assertThat(at(entries)).isEqualTo("-");
        assertThatThrownBy(entries::next)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("stands at no entry");
        assertThatThrownBy(entries::prev).hasMessageContaining("stands at no entry");
        assertThatThrownBy(entries::key).hasMessageContaining("stands at no entry");
        entries.seek(bytes("e"));
        assertThat(at(entries)).isEqualTo("f");
        entries.seek(bytes("d"));
        assertThat(at(entries)).isEqualTo("d");
        entries.seek(bytes(""));
        assertThat(at(entries)).isEqualTo("c");
        entries.seek(bytes("k"));
        assertThat(at(entries)).isEqualTo("-");
        entries.seekForPrev(bytes("e"));
        assertThat(at(entries)).isEqualTo("d");
        entries.seekForPrev(bytes("d"));
        assertThat(at(entries)).isEqualTo("d");
        entries.prev();
        assertThat(at(entries)).isEqualTo("c");
        entries.prev();
        assertThat(at(entries)).isEqualTo("-");
        entries.seekForPrev(bytes("bz"));
        assertThat(at(entries)).isEqualTo("-");
        entries.seekForPrev(bytes("z"));
        assertThat(at(entries)).isEqualTo("f");
        entries.seekToLast();
        assertThat(at(entries)).isEqualTo("f");
        entries.next();
        assertThat(at(entries)).isEqualTo("-");
      }
      try (KeyValueIterator empty = store.iterator(bytes("h"), bytes("k"))) {
        assertThat(forward(empty)).isEmpty();
        assertThat(backward(empty)).isEmpty();
      }
      assertThatThrownBy(() -> store.iterator(bytes("b"), bytes("a")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void goesBothWaysOverMoreThanIsBuffered() throws IOException {
    try (KeyValueStore store = open()) {
      int count = 6_000;
      byte[] large = new byte[300_000];
      for (int i = 0; i < count; i++) {
        // Some hundred deletions in a row, and values of which few fit.
        byte[] key = ByteBuffer.allocate(4).putInt(i).array();
        store.put(key, i / 20 == 50 ? large : bytes("" + i));
        if (i == count / 2) {
          store.database().flush();
        }
      }
      store.deleteRange(bytes(4_000), bytes(5_000));
      try (KeyValueIterator entries = store.iterator()) {
        int expected = count;
        for (entries.seekToLast(); entries.isValid(); entries.prev()) {
          expected = expected == 5_000 ? 3_999 : expected - 1;
          assertThat(entries.keyView().getInt()).isEqualTo(expected);
          assertThat(entries.valueView().remaining())
              .isEqualTo(expected / 20 == 50 ? large.length : ("" + expected).length());
        }
        assertThat(expected).isZero();
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
          assertThat(entries.keyView().getInt()).isEqualTo(expected);
          expected = expected == 3_999 ? 5_000 : expected + 1;
        }
        assertThat(expected).isEqualTo(count);
      }
    }
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  @Test
  void whatIsClosedIsNotUsedAnyMore() throws IOException {
    KeyValueStore store = open();
    put(store, "a", "b");
    KeyValueSnapshot snapshot = store.snapshot();
    KeyValueIterator iterator = store.iterator();
    iterator.seekToFirst();
    KeyValueIterator closed = snapshot.iterator();
    closed.close();
    closed.close();
    assertThatThrownBy(closed::seekToFirst)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the iterator over kv.pairs is closed");
    assertThat(store.database().statistics().openHandles()).isEqualTo(2);
    store.close();
    store.close();
    assertThat(leaked).containsExactlyInAnyOrder("snapshot of kv.pairs", "iterator over kv.pairs");
    assertThatThrownBy(iterator::next).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(iterator::isValid).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(iterator::value).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(iterator::keyView).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> snapshot.get(bytes("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(snapshot::iterator).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> snapshot.iteratorOfPrefix(bytes("a")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> snapshot.contains(bytes("a")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.get(bytes("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.contains(bytes("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> put(store, "a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.delete(bytes("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(store::snapshot).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(store::iterator).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.iteratorOfPrefix(bytes("a")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.putIfAbsent(bytes("a"), bytes("b")))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.writeAsync(new KeyValueBatch()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.write(new KeyValueBatch()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.deleteRange(null, null))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aStoreOpenForReadingOnlyTakesNoWrites() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a", "b");
    }
    try (KeyValueStore store =
        KeyValueStore.open(disk, options.toBuilder().readOnly(true).build())) {
      assertThat(keys(store)).containsExactly("a", "b");
      assertThat(get(store, "a")).isEqualTo("value of a");
      assertThatThrownBy(() -> put(store, "a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("reading only");
      assertThatThrownBy(() -> store.deleteRange(null, null))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aDatabaseWithoutTheTableIsNoStoreThatCanOnlyBeRead() throws IOException {
    Database.open(disk, options.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build()).close();
    assertThatThrownBy(
            () -> KeyValueStore.open(disk, options.toBuilder().readOnly(true).build()).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no table kv.pairs")
        .hasMessageContaining("reading only");
    open().close();
  }

  @Test
  void aStoreIsReadWithOtherTableOptionsThanItWasWrittenWith() throws IOException {
    try (KeyValueStore store = open()) {
      put(store, "a");
    }
    TableOptions others = TableOptions.builder().comment("others").build();
    DatabaseOptions readOnly = options.toBuilder().readOnly(true).build();
    try (KeyValueStore store = KeyValueStore.open(disk, readOnly, others)) {
      assertThat(keys(store)).containsExactly("a");
      assertThat(store.table().schema().options().comment()).isEmpty();
    }
  }

  @Test
  void otherPartitionersAreRefused() throws IOException {
    DatabaseOptions murmur = options.toBuilder().partitioner(Partitioner.MURMUR3).build();
    assertThatThrownBy(() -> KeyValueStore.open(disk, murmur))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("allowed BYTE_ORDERED");
    try (Database database = Database.open(disk, murmur)) {
      database.createTable(PAIRS);
      assertThatThrownBy(() -> KeyValueStore.in(database, "kv", "pairs"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Murmur3Partitioner")
          .hasMessageContaining("ByteOrderedPartitioner")
          .hasMessageContaining("DatabaseOptions.partitioner");
    }
    assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("Murmur3");
  }

  @Test
  void tablesOfAnotherFormAreRefused() throws IOException {
    DatabaseOptions ordered = options.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    try (Database database = Database.open(disk, ordered)) {
      for (String columns :
          List.of(
              "key text PRIMARY KEY, value blob",
              "key blob PRIMARY KEY, value text",
              "key blob PRIMARY KEY, value blob, more int",
              "key blob PRIMARY KEY",
              "key blob, c int, value blob, PRIMARY KEY (key, c)",
              "key blob, c int, s blob static, value blob, PRIMARY KEY (key, c)",
              "key blob, other blob, value blob, PRIMARY KEY ((key, other))")) {
        database.createTable("CREATE TABLE kv.pairs (" + columns + ")");
        assertThatThrownBy(() -> KeyValueStore.in(database, "kv", "pairs"))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("one key column of type blob");
        database.dropTable("kv", "pairs");
      }
      database.createTable(PAIRS);
      database.createTable("CREATE TABLE other.names (name blob PRIMARY KEY, id blob)");
      KeyValueStore entries = KeyValueStore.in(database, "kv", "pairs");
      KeyValueStore names = KeyValueStore.in(database, "other", "names");
      put(entries, "a");
      names.put(bytes("a"), bytes("other"));
      names.close();
      assertThat(get(names, "a")).isEqualTo("other");
      assertThat(get(entries, "a")).isEqualTo("value of a");
      database.alterTable("kv", "pairs", "ALTER TABLE kv.pairs ADD more int");
      assertThatThrownBy(() -> put(entries, "a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was altered");
      assertThatThrownBy(() -> get(entries, "a")).hasMessageContaining("was altered");
      assertThatThrownBy(entries::snapshot).hasMessageContaining("was altered");
      database.alterTable("kv", "pairs", "ALTER TABLE kv.pairs DROP more");
      assertThat(get(entries, "a")).isEqualTo("value of a");
      database.dropTable("kv", "pairs");
      List<ThrowingCallable> uses =
          List.of(
              () -> get(entries, "a"),
              entries::snapshot,
              () -> put(entries, "a"),
              () -> entries.delete(bytes("a")),
              () -> entries.write(new KeyValueBatch().put(bytes("a"), bytes("x"))),
              () -> entries.deleteRange(null, null));
      for (ThrowingCallable use : uses) {
        assertThatThrownBy(use)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("kv.pairs was dropped");
      }
    }
  }

  @Test
  void optionsOfTheTableAreTakenWhenItIsOpened() throws IOException {
    TableOptions first =
        KeyValueStore.DEFAULT_TABLE_OPTIONS.toBuilder()
            .compression(CompressionOptions.DEFAULT.withChunkLengthInKb(4))
            .build();
    try (KeyValueStore store = KeyValueStore.open(disk, options, first)) {
      put(store, "a");
      assertThat(store.table().schema().options()).isEqualTo(first);
    }
    try (KeyValueStore store = open()) {
      assertThat(store.table().schema().options()).isEqualTo(first);
    }
    TableOptions second = first.toBuilder().bloomFilterFpChance(0.001).build();
    try (KeyValueStore store = KeyValueStore.open(disk, options, second)) {
      assertThat(store.table().schema().options()).isEqualTo(second);
      assertThat(get(store, "a")).isEqualTo("value of a");
    }
  }

  @Test
  void rowsOfOtherWritersCountIfTheyHaveAValue() throws IOException {
    try (KeyValueStore store = open()) {
      Table table = store.table();
      table.write(
          table.mutation(ByteBuffer.wrap(bytes("a"))).update().set("value", bytes("x")).build());
      table.write(table.mutation(ByteBuffer.wrap(bytes("b"))).insert().build());
      put(store, "c");
      table.write(table.mutation(ByteBuffer.wrap(bytes("c"))).deleteRow().build());
      put(store, "d");
      table.write(table.mutation(ByteBuffer.wrap(bytes("d"))).update().set("value", null).build());
      for (int round = 0; round < 2; round++) {
        assertThat(get(store, "a")).isEqualTo("x");
        assertThat(get(store, "b")).isEqualTo("-");
        assertThat(get(store, "c")).isEqualTo("-");
        assertThat(get(store, "d")).isEqualTo("-");
        try (KeyValueIterator entries = store.iterator()) {
          assertThat(backward(entries)).containsExactly("a");
        }
        table.flush();
      }
    }
  }

  @Test
  void anEntryIsThereIfItIsNewerThanARangeTombstone() throws IOException {
    try (KeyValueStore store = open()) {
      Table table = store.table();
      put(store, "a", "b");
      for (int round = 0; round < 2; round++) {
        for (String key : List.of("a", "b", "c", "d")) {
          table.write(
              table
                  .mutation(ByteBuffer.wrap(bytes(key)))
                  .deleteRange(ClusteringRange.all())
                  .build());
        }
        assertThat(keys(store)).isEmpty();
        assertThat(get(store, "a")).isEqualTo("-");
        put(store, "b", "c");
        table.flush();
        // Of which one table has nothing but the tombstones.
        for (int flush = 0; flush < 2; flush++) {
          put(store, "d");
          assertThat(get(store, "b")).isEqualTo("value of b");
          assertThat(store.contains(bytes("c"))).isTrue();
          assertThat(store.contains(bytes("a"))).isFalse();
          assertThat(get(store, "d")).isEqualTo("value of d");
          try (KeyValueSnapshot snapshot = store.snapshot();
              KeyValueIterator entries = snapshot.iterator()) {
            assertThat(snapshot.get(bytes("b"))).isEqualTo(bytes("value of b"));
            assertThat(forward(entries)).containsExactly("b", "c", "d");
            assertThat(backward(entries)).containsExactly("d", "c", "b");
          }
          table.flush();
        }
      }
      store.deleteRange(bytes("b"), bytes("d"));
      assertThat(keys(store)).containsExactly("d");
    }
  }

  /** Whoever closes the database waits for handles that are being closed, if it still sees them. */
  @Test
  void aHandleIsOpenUntilItHasGivenBackWhatItHeld() throws IOException {
    AtomicReference<Database> database = new AtomicReference<>();
    List<Integer> handles = new ArrayList<>();
    ClosingFiles.Step closing =
        () -> {
          Database present = database.get();
          if (present != null) {
            handles.add(present.statistics().openHandles());
          }
        };
    try (KeyValueStore store =
        KeyValueStore.open(ClosingFiles.in(new MemoryDirectory(), closing), options)) {
      for (boolean isSnapshot : List.of(true, false)) {
        put(store, "a");
        store.table().flush();
        Closeable handle = isSnapshot ? store.snapshot() : store.iterator();
        // So that nobody else needs the files.
        store.table().truncate();
        database.set(store.database());
        handle.close();
        database.set(null);
        assertThat(handles).isNotEmpty().containsOnly(1);
        handles.clear();
        assertThat(store.database().statistics().openHandles()).isZero();
      }
    }
  }
}
