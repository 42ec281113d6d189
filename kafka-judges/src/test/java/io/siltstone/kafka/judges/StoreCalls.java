package io.siltstone.kafka.judges;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.DslStoreFormat;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.query.MultiVersionedKeyQuery;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.DslSessionParams;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.DslWindowParams;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.TimestampedWindowStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.VersionedRecord;
import org.apache.kafka.streams.state.VersionedRecordIterator;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of stores with times, and a random call of each: what it draws, it draws from the random
 * numbers that it is given.
 */
enum StoreCalls {
  WINDOWS {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return windows(engine, false);
    }
  },
  WINDOWS_WITH_DUPLICATES {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return windows(engine, true);
    }
  },
  WINDOWS_BY_TIME {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return windowsByTime(engine, false);
    }
  },
  WINDOWS_BY_TIME_WITH_INDEX {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return windowsByTime(engine, true);
    }
  },
  SESSIONS {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return Stores.sessionStoreBuilder(
          engine.sessionStore(NAME, RETENTION), Serdes.Bytes(), Serdes.ByteArray());
    }
  },
  SESSIONS_BY_TIME {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return Stores.sessionStoreBuilder(
          suppliers(engine)
              .sessionStore(
                  new DslSessionParams(
                      NAME, RETENTION, EmitStrategy.onWindowClose(), DslStoreFormat.PLAIN)),
          Serdes.Bytes(),
          Serdes.ByteArray());
    }
  },
  VERSIONS {
    @Override
    StoreBuilder<?> builder(StoreEngine engine) {
      return Stores.versionedKeyValueStoreBuilder(
          engine.versionedStore(NAME, RETENTION), Serdes.Bytes(), Serdes.ByteArray());
    }
  };

  /** The name of the store. */
  static final String NAME = "store";

  private static final Duration RETENTION = Duration.ofSeconds(150);

  abstract StoreBuilder<?> builder(StoreEngine engine);

  private static StoreBuilder<?> windows(StoreEngine engine, boolean retainDuplicates) {
    return Stores.windowStoreBuilder(
        engine.windowStore(NAME, RETENTION, Duration.ofSeconds(20), retainDuplicates),
        Serdes.Bytes(),
        Serdes.ByteArray());
  }

  private static StoreBuilder<?> windowsByTime(StoreEngine engine, boolean isIndexed) {
    return Stores.timestampedWindowStoreBuilder(
        suppliers(engine)
            .windowStore(
                new DslWindowParams(
                    NAME,
                    RETENTION,
                    Duration.ofSeconds(20),
                    false,
                    EmitStrategy.onWindowClose(),
                    isIndexed,
                    DslStoreFormat.TIMESTAMPED)),
        Serdes.Bytes(),
        Serdes.ByteArray());
  }

  private static DslStoreSuppliers suppliers(StoreEngine engine) {
    try {
      return engine.dslStoreSuppliers().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Makes a call.
   *
   * @param now about the greatest time so far
   * @return what was called and what it returned
   */
  @SuppressWarnings("unchecked") // as built above
  String call(StateStore store, Random random, long now) {
    try {
      return switch (this) {
        case WINDOWS, WINDOWS_WITH_DUPLICATES ->
            window((WindowStore<Bytes, byte[]>) store, bytes(random), random, now);
        case WINDOWS_BY_TIME, WINDOWS_BY_TIME_WITH_INDEX ->
            window(
                (TimestampedWindowStore<Bytes, byte[]>) store,
                ValueAndTimestamp.make(bytes(random), now),
                random,
                now);
        case SESSIONS, SESSIONS_BY_TIME ->
            session((SessionStore<Bytes, byte[]>) store, random, now);
        case VERSIONS -> version((VersionedKeyValueStore<Bytes, byte[]>) store, random, now);
      };
    } catch (RuntimeException e) {
      throw new IllegalStateException("a call of " + this, e);
    }
  }

  private <V> String window(
      WindowStore<Bytes, V> store, @Nullable V value, Random random, long now) {
    int call = random.nextInt(20);
    Bytes key = key(random);
    Bytes other = key(random);
    long time = time(random, now);
    long begin = now - random.nextInt(400_000);
    // RocksDB's stores that are ordered by time have nothing from a negative time on.
    long from = this == WINDOWS || this == WINDOWS_WITH_DUPLICATES ? begin : Math.max(0, begin);
    long to = from + random.nextInt(300_000);
    if (call < 11) {
      store.put(key, value, time);
      return "put " + key + " " + time;
    }
    return switch (call) {
      case 11, 12 -> "fetch " + key + " " + time + " " + text(store.fetch(key, time));
      case 13 -> "fetch " + key + " " + from + " " + to + texts(store.fetch(key, from, to));
      case 14 ->
          "backward " + key + " " + from + " " + to + texts(store.backwardFetch(key, from, to));
      case 15 ->
          "fetch "
              + List.of(key, other, from, to)
              + texts(store.fetch(first(key, other), last(key, other), from, to));
      case 16 ->
          "backward "
              + List.of(key, other, from, to)
              + texts(store.backwardFetch(first(key, other), last(key, other), from, to));
      case 17 -> "all " + texts(store.all()) + texts(store.backwardAll());
      case 18 -> "half open " + key + texts(store.fetch(key, null, from, to));
      default ->
          "all "
              + from
              + " "
              + to
              + texts(store.fetchAll(from, to))
              + texts(store.backwardFetchAll(from, to));
    };
  }

  private String session(SessionStore<Bytes, byte[]> store, Random random, long now) {
    int call = random.nextInt(20);
    Bytes key = key(random);
    Bytes other = key(random);
    long start = time(random, now);
    long end = start + random.nextInt(30_000);
    long from = now - random.nextInt(400_000);
    long to = Math.max(0, from + random.nextInt(300_000));
    Windowed<Bytes> session = new Windowed<>(key, new SessionWindow(start, end));
    if (call < 10) {
      store.put(session, bytes(random));
      return "put " + session;
    }
    return switch (call) {
      case 10, 11 -> {
        store.remove(session);
        yield "remove " + session;
      }
      case 12 -> "session " + session + text(store.fetchSession(key, start, end));
      case 13 -> "find " + key + " " + from + " " + to + texts(store.findSessions(key, from, to));
      case 14 ->
          "backward "
              + key
              + " "
              + from
              + " "
              + to
              + texts(store.backwardFindSessions(key, from, to));
      case 15 ->
          "find "
              + List.of(key, other, from, to)
              + texts(store.findSessions(first(key, other), last(key, other), from, to));
      case 16 ->
          "backward "
              + List.of(key, other, from, to)
              + texts(store.backwardFindSessions(first(key, other), last(key, other), from, to));
      case 17 -> "fetch " + key + texts(store.fetch(key)) + texts(store.backwardFetch(key));
      case 18 ->
          this == SESSIONS_BY_TIME
              ? "ending " + from + " " + to + texts(store.findSessions(Math.max(0, from), to))
              : "half open " + key + texts(store.fetch(null, key));
      default -> "all " + texts(store.fetch(null, null));
    };
  }

  private static String version(
      VersionedKeyValueStore<Bytes, byte[]> store, Random random, long now) {
    int call = random.nextInt(20);
    Bytes key = key(random);
    long time = time(random, now);
    if (call < 9) {
      byte[] value = bytes(random);
      long at = value == null ? deletionTime(time) : time;
      return "put " + key + " " + at + " " + text(value) + " " + store.put(key, value, at);
    }
    return switch (call) {
      case 9 -> "delete " + key + " " + time + text(store.delete(key, deletionTime(time)));
      case 10, 11 -> "get " + key + text(store.get(key));
      case 12, 13, 14 -> "versions " + key + versions(store, key, random, now);
      default -> "get " + key + " " + time + text(store.get(key, time));
    };
  }

  private static String versions(
      VersionedKeyValueStore<Bytes, byte[]> store, Bytes key, Random random, long now) {
    MultiVersionedKeyQuery<Bytes, byte[]> query = MultiVersionedKeyQuery.withKey(key);
    long from = time(random, now);
    if (random.nextBoolean()) {
      query = query.fromTime(Instant.ofEpochMilli(from));
    }
    if (random.nextBoolean()) {
      // RocksDB's stores miss versions that end in a later segment than this time.
      query = query.toTime(Instant.ofEpochMilli(now + 1000 + random.nextInt(200_000)));
    }
    query = random.nextBoolean() ? query.withAscendingTimestamps() : query;
    QueryResult<VersionedRecordIterator<byte[]>> result =
        store.query(query, PositionBound.unbounded(), new QueryConfig(false));
    List<String> all = new ArrayList<>();
    try (VersionedRecordIterator<byte[]> versions = result.getResult()) {
      while (versions.hasNext()) {
        all.add(text(versions.next()));
      }
    }
    return query.fromTime() + " " + query.toTime() + all;
  }

  static Bytes first(Bytes one, Bytes other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  static Bytes last(Bytes one, Bytes other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  // Keys that are the beginnings of others, without zero bytes, of which ranges of RocksDB's stores
  // miss some, and not empty.
  static Bytes key(Random random) {
    byte[] key = new byte[1 + random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      key[i] = new byte[] {1, 'a', (byte) 0xff}[random.nextInt(3)];
    }
    return Bytes.wrap(key);
  }

  static byte @Nullable [] bytes(Random random) {
    return random.nextInt(5) == 0
        ? null
        : Integer.toString(random.nextInt(1000)).getBytes(StandardCharsets.US_ASCII);
  }

  // Whole seconds, so that entries meet the ends of ranges, of segments and of the retention.
  static long time(Random random, long now) {
    long back = random.nextInt(3) == 0 ? random.nextInt(200) : random.nextInt(30);
    return Math.max(0, now / 1000 - back) * 1000;
  }

  // Deletions of versioned stores have times that no version has: RocksDB's store forgets one at
  // the
  // time of the latest version.
  static long deletionTime(long time) {
    return time + 1;
  }

  static String texts(KeyValueIterator<?, ?> entries) {
    List<String> all = new ArrayList<>();
    try (entries) {
      while (entries.hasNext()) {
        KeyValue<?, ?> entry = entries.next();
        all.add("\n    " + entry.key + " = " + text(entry.value));
      }
    }
    return all.toString();
  }

  static String text(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof ValueAndTimestamp<?> stamped) {
      return text(stamped.value()) + "@" + stamped.timestamp();
    }
    if (value instanceof VersionedRecord<?> version) {
      return text(version.value()) + "@" + version.timestamp() + "-" + version.validTo();
    }
    return String.valueOf(value);
  }

  /** Returns where the results of two engines differ first; null if they do not. */
  static @Nullable String difference(List<String> one, List<String> other) {
    Iterator<String> others = other.iterator();
    for (String each : one) {
      String second = others.next();
      if (!each.equals(second)) {
        return each + "\n" + second;
      }
    }
    return null;
  }
}
