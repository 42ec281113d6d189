package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.CHANGELOG;
import static io.siltstone.kafka.streams.Entries.all;
import static io.siltstone.kafka.streams.Entries.bytes;
import static io.siltstone.kafka.streams.Entries.commit;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.open;
import static io.siltstone.kafka.streams.Entries.text;
import static io.siltstone.kafka.streams.StoreContext.changelog;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.kafka.streams.host.OpenDatabases;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the restore of stores from the records of a changelog. */
final class RestoreTest {
  private static final long MINUTE = 60_000;

  @TempDir Path directory;

  private StoreContext context(boolean transactional) {
    StoreContext context = new StoreContext(directory, 0);
    return transactional ? context.transactional() : context;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tombstonesDeleteWhatWasRestoredBefore(boolean transactional) {
    StoreContext context = context(transactional);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    context.restore(
        List.of(
            changelog(bytes("a"), bytes("1"), null),
            changelog(bytes("b"), bytes("1"), null),
            changelog(bytes(""), bytes("1"), null),
            changelog(bytes("b"), null, null)));
    assertThat(all(store)).containsExactly("=1", "a=1");
    context.restore(List.of(changelog(bytes("a"), null, null), changelog(bytes(""), null, null)));
    assertThat(all(store)).isEmpty();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePositionIsThatOfTheRecords(boolean transactional) {
    StoreContext context =
        context(transactional).with("__iq.consistency.offset.vector.enabled__", true);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    Position first = Position.emptyPosition().withComponent("input", 0, 4);
    Position second = Position.emptyPosition().withComponent("input", 0, 9);
    context.restore(
        List.of(
            changelog(bytes("a"), bytes("1"), first), changelog(bytes("b"), bytes("1"), second)));
    assertThat(store.getPosition()).isEqualTo(second);
    commit(store, 2);
    store.close();
    store.init(context, store);
    assertThat(store.getPosition()).isEqualTo(second);
    assertThat(
            store
                .query(
                    org.apache.kafka.streams.query.KeyQuery.withKey(key("a")),
                    PositionBound.at(second),
                    new org.apache.kafka.streams.query.QueryConfig(false))
                .isSuccess())
        .isTrue();
    assertThat(
            store
                .query(
                    org.apache.kafka.streams.query.KeyQuery.withKey(key("a")),
                    PositionBound.at(Position.emptyPosition().withComponent("input", 0, 10)),
                    new org.apache.kafka.streams.query.QueryConfig(false))
                .isSuccess())
        .isFalse();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStandbyIsReadWhileItIsRestoredAndBecomesActive(boolean transactional) {
    StoreContext context = context(transactional);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    for (int i = 0; i < 5; i++) {
      context.restore(List.of(changelog(bytes("n"), bytes("" + i), null)));
      assertThat(text(store.get(key("n")))).isEqualTo("" + i);
      commit(store, i);
    }
    store.close();
    store.init(context, store);
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(4);
    store.put(key("n"), bytes("5"));
    commit(store, 5);
    assertThat(all(store)).containsExactly("n=5");
    store.close();
  }

  @Test
  void longKeysAreRestoredInOrder() {
    StoreContext context = context(false);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    String common = "k".repeat(70_000);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String end : List.of("c", "a", "b", "", "b2")) {
      records.add(changelog(bytes(common + end), bytes(end), null));
    }
    records.add(changelog(bytes("k"), bytes("short"), null));
    records.add(changelog(bytes("l"), bytes("after"), null));
    records.add(changelog(bytes(common + "b"), null, null));
    context.restore(records);
    assertThat(all(store))
        .containsExactly(
            "k=short", common + "=", common + "a=a", common + "b2=b2", common + "c=c", "l=after");
    assertThat(Entries.list(store.reverseRange(key(common + "a"), key(common + "b3"))))
        .containsExactly(common + "b2=b2", common + "a=a");
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRestoreThatACrashInterruptsContinuesFromItsLastFlush(boolean transactional)
      throws Exception {
    StoreContext context = context(transactional);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    List<ConsumerRecord<byte[], byte[]>> first =
        List.of(
            changelog(bytes("a"), bytes("1"), null),
            changelog(bytes("b"), bytes("1"), null),
            changelog(bytes("c"), bytes("1"), null));
    List<ConsumerRecord<byte[], byte[]>> rest =
        List.of(
            changelog(bytes("a"), null, null),
            changelog(bytes("c"), bytes("2"), null),
            changelog(bytes("d"), bytes("1"), null));
    context.restore(first);
    commit(store, 3);
    var database = OpenDatabases.find(directory, StoreContext.APPLICATION);
    var table = database.tables().iterator().next();
    while (table.statistics().sstables().count() == 0) {
      Thread.onSpinWait(); // The first flush comes by itself.
    }
    database.flush();
    context.restore(rest);
    Path flushed = Crash.of(directory.resolve(StoreContext.APPLICATION), directory.resolve("1"));
    // A flush in the middle of a batch has records that are not committed.
    database.flush();
    Path ahead = Crash.of(directory.resolve(StoreContext.APPLICATION), directory.resolve("2"));
    store.close();

    for (Path crashed : List.of(flushed, ahead)) {
      StoreContext after = new StoreContext(crashed, 0);
      KeyValueStore<Bytes, byte[]> again = open("a", transactional ? after.transactional() : after);
      assertThat(again.committedOffset(CHANGELOG)).isEqualTo(3);
      if (crashed.equals(flushed)) {
        assertThat(all(again)).containsExactly("a=1", "b=1", "c=1");
      }
      after.restore(rest);
      assertThat(all(again)).containsExactly("b=1", "c=2", "d=1");
      again.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsThatAreLargerThanTheMemoryAreRestoredAtOnce(boolean transactional) {
    StoreContext context = context(transactional).with(StoreHost.MEMORY_BYTES_CONFIG, 32 << 20);
    KeyValueStore<Bytes, byte[]> store = open("a", context);
    byte[] value = new byte[50_000];
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < 800; i++) {
      records.add(changelog(bytes("k" + i), value, null));
    }
    context.restore(records);
    assertThat(store.get(key("k0"))).hasSize(value.length);
    assertThat(store.get(key("k799"))).hasSize(value.length);
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void windowsThatHaveExpiredAreNeitherRestoredNorKept(boolean transactional) throws Exception {
    StoreContext context = context(transactional);
    WindowStore<Bytes, byte[]> store =
        SiltstoneStores.persistentWindowStore(
                "w", Duration.ofMinutes(4), Duration.ofMinutes(1), false)
            .get();
    store.init(context, store);
    context.restore(List.of(window("older", 1 * MINUTE)));
    context.restore(List.of(window("old", 1 * MINUTE), window("a", 20 * MINUTE)));
    assertThat(store.fetch(key("old"), 1 * MINUTE)).isNull();
    assertThat(text(store.fetch(key("a"), 20 * MINUTE))).isEqualTo("1");
    store.commit(java.util.Map.of(CHANGELOG, 1L));
    assertThat(entriesOnDisk()).isEqualTo(2); // and the offsets

    // The stream time is known again after the store was opened.
    store.close();
    store.init(context, store);
    store.put(key("late"), bytes("1"), 1 * MINUTE);
    assertThat(store.fetch(key("late"), 1 * MINUTE)).isNull();

    // Hidden as soon as it has expired, though its segment has not.
    store.put(key("edge"), bytes("1"), 16 * MINUTE);
    assertThat(store.fetch(key("edge"), 16 * MINUTE)).isNull();
    store.put(key("edge"), bytes("1"), 16 * MINUTE + 1);
    assertThat(store.fetch(key("edge"), 16 * MINUTE + 1)).isNotNull();

    store.put(key("b"), bytes("1"), 60 * MINUTE);
    assertThat(store.fetch(key("a"), 20 * MINUTE)).isNull();
    store.commit(java.util.Map.of(CHANGELOG, 2L));
    assertThat(entriesOnDisk()).isEqualTo(2);
    store.close();
  }

  private long entriesOnDisk() throws Exception {
    var database =
        io.siltstone.kafka.streams.host.OpenDatabases.find(directory, StoreContext.APPLICATION);
    var schema = database.tables().get(0).schema();
    long entries = 0;
    try (var all =
        io.siltstone.KeyValueStore.in(database, schema.keyspace(), schema.name()).iterator()) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        entries++;
      }
    }
    return entries;
  }

  private static ConsumerRecord<byte[], byte[]> window(String key, long start) {
    byte[] timed =
        ByteBuffer.allocate(key.length() + 12).put(bytes(key)).putLong(start).putInt(0).array();
    return changelog(timed, bytes("1"), null);
  }

  @Test
  void sessionsAreRestoredWithTheirEnds() {
    StoreContext context = context(false);
    SessionStore<Bytes, byte[]> store =
        SiltstoneStores.persistentSessionStore("s", Duration.ofMinutes(4)).get();
    store.init(context, store);
    byte[] timed = ByteBuffer.allocate(17).put((byte) 'k').putLong(500).putLong(100).array();
    context.restore(List.of(changelog(timed, bytes("1"), null)));
    assertThat(text(store.fetchSession(key("k"), 100, 500))).isEqualTo("1");
    context.restore(List.of(changelog(timed, null, null)));
    assertThat(store.fetchSession(key("k"), 100, 500)).isNull();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void versionsAreThoseOfTheTimestampsOfTheRecords(boolean transactional) {
    StoreContext context = context(transactional);
    VersionedBytesStore store =
        (VersionedBytesStore)
            SiltstoneStores.persistentVersionedKeyValueStore("v", Duration.ofMinutes(10)).get();
    store.init(context, store);
    context.restore(
        List.of(
            version("1", 1 * MINUTE),
            version("3", 3 * MINUTE),
            version("2", 2 * MINUTE),
            version(null, 4 * MINUTE)));
    context.restore(List.of(version("6", 6 * MINUTE), version("5", 5 * MINUTE)));
    assertThat(valueAt(store, 1 * MINUTE)).isEqualTo("1");
    assertThat(valueAt(store, 2 * MINUTE + 5)).isEqualTo("2");
    assertThat(valueAt(store, 3 * MINUTE)).isEqualTo("3");
    assertThat(valueAt(store, 4 * MINUTE)).isNull();
    assertThat(valueAt(store, 5 * MINUTE)).isEqualTo("5");
    assertThat(valueAt(store, 7 * MINUTE)).isEqualTo("6");

    context.restore(List.of(version("40", 40 * MINUTE), version("1", 1 * MINUTE)));
    assertThat(valueAt(store, 7 * MINUTE)).isNull();
    assertThat(valueAt(store, 40 * MINUTE)).isEqualTo("40");
    store.close();
  }

  // A read of every possible segment would not end: there are 36 billion up to the last version.
  @Test
  void versionsInShortSegmentsAreFoundAgain() {
    StoreContext context = context(false);
    VersionedBytesStore store =
        (VersionedBytesStore)
            SiltstoneStores.persistentVersionedKeyValueStore(
                    "v", Duration.ofDays(10_000), Duration.ofMillis(1))
                .get();
    store.init(context, store);
    context.restore(
        List.of(
            version("1", 1 * MINUTE), version("2", 2 * MINUTE), version("3", 600_000 * MINUTE)));
    store.commit(java.util.Map.of(CHANGELOG, 1L));
    for (int i = 0; i < 2; i++) {
      assertThat(valueAt(store, 1 * MINUTE)).isEqualTo("1");
      assertThat(valueAt(store, 500_000 * MINUTE)).isEqualTo("2");
      assertThat(valueAt(store, 600_000 * MINUTE)).isEqualTo("3");
      assertThat(valueAt(store, 0)).isNull();
      store.close();
      store.init(context, store);
    }
    store.close();
  }

  @Test
  void nothingIsLeftOfARestoreOfVersionsThatFailed() throws Exception {
    StoreContext context = context(false);
    VersionedBytesStore store =
        (VersionedBytesStore)
            SiltstoneStores.persistentVersionedKeyValueStore("v", Duration.ofMinutes(10)).get();
    store.init(context, store);
    assertThatThrownBy(
            () ->
                context.restore(List.of(version("1", 1 * MINUTE), version(null, "1", 1 * MINUTE))))
        .isInstanceOf(RuntimeException.class);
    store.close();
    Utils.delete(context.taskDirectory().toFile());
    store.init(context, store);
    context.restore(List.of(version(bytes("other"), "2", 2 * MINUTE)));
    assertThat(valueAt(store, 1 * MINUTE)).isNull();
    store.close();
  }

  private static ConsumerRecord<byte[], byte[]> version(String value, long timestamp) {
    return version(bytes("k"), value, timestamp);
  }

  private static ConsumerRecord<byte[], byte[]> version(byte[] key, String value, long timestamp) {
    return new ConsumerRecord<>(
        "changelog",
        0,
        0,
        timestamp,
        TimestampType.CREATE_TIME,
        -1,
        -1,
        key,
        value == null ? null : bytes(value),
        new RecordHeaders(),
        java.util.Optional.empty());
  }

  private static String valueAt(VersionedBytesStore store, long time) {
    byte[] found = store.get(key("k"), time);
    return found == null ? null : text(found).substring(Long.BYTES);
  }
}
