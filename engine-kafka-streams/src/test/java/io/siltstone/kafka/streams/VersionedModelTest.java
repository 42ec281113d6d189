package io.siltstone.kafka.streams;

import static io.siltstone.kafka.streams.Entries.CHANGELOG;
import static io.siltstone.kafka.streams.Entries.key;
import static io.siltstone.kafka.streams.Entries.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.kafka.streams.host.OpenDatabases;
import io.siltstone.kafka.streams.store.StateVersionedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A versioned store beside a map of all versions, as the contract of {@link VersionedKeyValueStore}
 * describes it: puts and deletions in any order, restores, openings and crashes.
 */
final class VersionedModelTest {
  private static final long SECOND = 1000;
  private static final long RETENTION = 150 * SECOND;
  private static final String[] KEYS = {"a", "b", ""};

  @TempDir Path directory;

  private final long seed = Long.getLong("siltstone.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final List<String> calls = new ArrayList<>();

  /** All versions that were put, a deletion among them as a null. */
  private static final class Model {
    private final Map<String, TreeMap<Long, String>> versions = new HashMap<>();
    private long streamTime = -1;

    private TreeMap<Long, String> of(String key) {
      return versions.computeIfAbsent(key, k -> new TreeMap<>());
    }

    private long firstKept() {
      return streamTime - RETENTION;
    }

    long put(String key, String value, long time) {
      if (time < firstKept()) {
        return VersionedKeyValueStore.PUT_RETURN_CODE_NOT_PUT;
      }
      streamTime = Math.max(streamTime, time);
      TreeMap<Long, String> all = of(key);
      all.put(time, value);
      Long next = all.higherKey(time);
      return next == null ? VersionedKeyValueStore.PUT_RETURN_CODE_VALID_TO_UNDEFINED : next;
    }

    private String at(String key, Long time) {
      TreeMap<Long, String> all = of(key);
      String value = time == null ? null : all.get(time);
      Long next = time == null ? null : all.higherKey(time);
      return value == null ? null : shown(value, time, next == null ? -1 : next);
    }

    String get(String key) {
      TreeMap<Long, String> all = of(key);
      return all.isEmpty() ? null : at(key, all.lastKey());
    }

    String get(String key, long time) {
      TreeMap<Long, String> all = of(key);
      Long found = all.floorKey(time);
      boolean isLatest = found != null && found.equals(all.lastKey());
      return time < firstKept() && !isLatest ? null : at(key, found);
    }

    List<String> between(String key, long from, long to) {
      List<String> found = new ArrayList<>();
      TreeMap<Long, String> all = of(key);
      for (Long time : all.headMap(to, true).keySet()) {
        Long next = all.higherKey(time);
        if (all.get(time) != null && (next == null || next > from)) {
          found.add(at(key, time));
        }
      }
      return found;
    }
  }

  private static String shown(String value, long from, long to) {
    return value + "@" + from + "-" + to;
  }

  private static String shown(VersionedRecord<byte[]> found) {
    return found == null
        ? null
        : shown(text(found.value()), found.timestamp(), found.validTo().orElse(-1L));
  }

  private static StateVersionedStore open(StoreContext context, long segment) {
    StateVersionedStore store =
        new StateVersionedStore("v", ConfiguredTables.INSTANCE, RETENTION, segment);
    store.init(context, store);
    return store;
  }

  private static ConsumerRecord<byte[], byte[]> record(String key, String value, long time) {
    return StoreContext.changelog(
        Entries.bytes(key), value == null ? null : Entries.bytes(value), null, time);
  }

  private StoreContext context(Path state, boolean transactional) {
    StoreContext context = new StoreContext(state, 0);
    return transactional ? context.transactional() : context;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void versionsAreThoseOfTheModel(boolean transactional) throws IOException {
    int rounds = 2 * Integer.getInteger("siltstone.scale", 1);
    for (int round = 0; round < rounds; round++) {
      calls.clear();
      run(directory.resolve(transactional + "-" + round), transactional);
    }
  }

  private void run(Path state, boolean transactional) throws IOException {
    long segment = new long[] {SECOND, 10 * SECOND, 75 * SECOND, 200 * SECOND}[random.nextInt(4)];
    StoreContext context = context(state.resolve("0"), transactional);
    StateVersionedStore store = open(context, segment);
    Model model = new Model();
    // The changelog's records since the last commit.
    List<ConsumerRecord<byte[], byte[]>> changelog = new ArrayList<>();
    long now = random.nextBoolean() ? 0 : 1_700_000_000_000L;
    for (int i = 0; i < 400; i++) {
      now += random.nextInt(20) == 0 ? random.nextInt(200) * SECOND : random.nextInt(3) * SECOND;
      int call = random.nextInt(40);
      if (call < 28) {
        change(store, model, changelog, now);
      } else if (call < 34) {
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int left = random.nextInt(10); left >= 0; left--) {
          now += random.nextInt(8) == 0 ? random.nextInt(200) * SECOND : 0;
          String value = anyValue();
          batch.add(record(anyKey(), value, time(now)));
        }
        if (transactional) {
          store.commit(Map.of(CHANGELOG, (long) i)); // As Kafka restores no store that is written.
          changelog.clear();
        }
        restore(context, model, batch);
        changelog.addAll(batch);
      } else if (call < 37) {
        store.commit(Map.of(CHANGELOG, (long) i));
        changelog.clear();
        if (call == 36 && random.nextInt(3) == 0) {
          calls.add("opened again");
          store.close();
          store = open(context, segment);
        }
      } else if (call == 37) {
        if (!transactional) {
          restore(context, model, changelog);
        }
      } else if (random.nextInt(6) == 0) {
        calls.add("crash");
        Path crashed = crash(context, state.resolve("crash" + i));
        store.close();
        context = context(crashed, transactional);
        store = open(context, segment);
        restore(context, model, changelog);
      }
      compare(store, model, now);
    }
    store.close();
  }

  private static Path crash(StoreContext context, Path copies) throws IOException {
    Path application = context.taskDirectory().getParent();
    for (int attempt = 0; ; attempt++) {
      OpenDatabases.find(application.getParent(), StoreContext.APPLICATION).flush();
      IllegalStateException failure =
          new IllegalStateException("files were being changed while they were copied");
      try {
        Path copy = Crash.of(application, copies.resolve("" + attempt));
        if (!isChanging(copy)) {
          return copy;
        }
      } catch (IllegalStateException e) {
        failure = e;
      }
      // First flushes and compactions come by themselves.
      if (attempt == 50) {
        throw failure;
      }
    }
  }

  private static boolean isChanging(Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(copy)) {
      return files.anyMatch(file -> file.getFileName().toString().contains("_txn_"));
    }
  }

  private String anyKey() {
    return KEYS[random.nextInt(KEYS.length)];
  }

  private String anyValue() {
    return random.nextInt(4) == 0 ? null : Integer.toString(random.nextInt(1000));
  }

  private long time(long now) {
    int back = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(20);
    return Math.max(0, now - back * SECOND);
  }

  private void change(
      StateVersionedStore store,
      Model model,
      List<ConsumerRecord<byte[], byte[]>> changelog,
      long now) {
    String key = anyKey();
    String value = anyValue();
    long time = time(now);
    calls.add("put " + key + " " + value + " " + time);
    if (value == null && random.nextBoolean()) {
      String before = time < model.streamTime - RETENTION ? null : model.get(key, time);
      long next = model.put(key, null, time);
      assertThat(shown(store.delete(key(key), time))).as("%s", this).isEqualTo(before);
      if (next == VersionedKeyValueStore.PUT_RETURN_CODE_NOT_PUT) {
        return;
      }
    } else {
      long next = model.put(key, value, time);
      byte[] bytes = value == null ? null : Entries.bytes(value);
      assertThat(store.put(key(key), bytes, time)).as("%s", this).isEqualTo(next);
      if (next == VersionedKeyValueStore.PUT_RETURN_CODE_NOT_PUT) {
        return;
      }
    }
    changelog.add(record(key, value, time));
  }

  private void restore(
      StoreContext context, Model model, List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> each : records) {
      calls.add("restored " + text(each.key()) + " " + text(each.value()) + " " + each.timestamp());
      var unused = model.put(text(each.key()), text(each.value()), each.timestamp());
    }
    context.restore(records);
  }

  private void compare(StateVersionedStore store, Model model, long now) {
    for (String name : KEYS) {
      Bytes key = key(name);
      assertThat(shown(store.get(key))).as("%s, key %s", this, name).isEqualTo(model.get(name));
      for (int i = 0; i < 3; i++) {
        long time = time(now);
        assertThat(shown(store.get(key, time)))
            .as("%s, key %s at %s", this, name, time)
            .isEqualTo(model.get(name, time));
      }
      long from = Math.max(model.streamTime - RETENTION, time(now));
      long to = from + random.nextInt(100) * SECOND;
      List<String> found = new ArrayList<>();
      try (VersionedRecordIterator<byte[]> versions = versions(store, key, from, to)) {
        versions.forEachRemaining(each -> found.add(shown(each)));
      }
      assertThat(found)
          .as("%s, key %s from %s to %s", this, name, from, to)
          .isEqualTo(model.between(name, from, to));
    }
  }

  private static VersionedRecordIterator<byte[]> versions(
      StateVersionedStore store, Bytes key, long from, long to) {
    MultiVersionedKeyQuery<Bytes, byte[]> query =
        MultiVersionedKeyQuery.<Bytes, byte[]>withKey(key)
            .fromTime(Instant.ofEpochMilli(Math.max(0, from)))
            .toTime(Instant.ofEpochMilli(Math.max(0, to)))
            .withAscendingTimestamps();
    return store.query(query, PositionBound.unbounded(), new QueryConfig(false)).getResult();
  }

  /** Returns the seed and the last calls. */
  @Override
  public String toString() {
    int from = Math.max(0, calls.size() - 60);
    return "-Dsiltstone.seed=" + seed + ", after " + calls.subList(from, calls.size());
  }

  // The deletion is older than what is kept at the end of the records, but not when the late
  // version comes: without it, that would be the latest.
  @Test
  void aDeletionThatExpiresWithinTheRecordsStillEndsALateVersion() {
    StoreContext context = context(directory, false);
    StateVersionedStore store = open(context, 10 * SECOND);
    context.restore(
        List.of(
            record("a", null, 50 * SECOND),
            record("a", "late", 30 * SECOND),
            record("b", "1", 900 * SECOND)));
    assertThat(store.get(key("a"))).isNull();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeletionThatExpiredBeforeACrashStillEndsALateVersionThatIsRestoredAgain(
      boolean transactional) throws IOException {
    StoreContext context = context(directory.resolve("0"), transactional);
    StateVersionedStore store = open(context, 10 * SECOND);
    context.restore(List.of(record("a", null, 50 * SECOND)));
    store.commit(Map.of(CHANGELOG, 1L));
    List<ConsumerRecord<byte[], byte[]>> rest =
        List.of(record("a", "late", 30 * SECOND), record("b", "1", 900 * SECOND));
    context.restore(rest);
    context.restore(List.of(record("b", "2", 901 * SECOND)));
    Path crashed = crash(context, directory.resolve("crash"));
    store.close();
    context = context(crashed, transactional);
    store = open(context, 10 * SECOND);
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(1);
    context.restore(rest);
    assertThat(store.get(key("a"))).isNull();
    store.close();
  }
}
