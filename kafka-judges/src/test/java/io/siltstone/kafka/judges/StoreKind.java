package io.siltstone.kafka.judges;

import static io.siltstone.kafka.judges.StoreCalls.bytes;
import static io.siltstone.kafka.judges.StoreCalls.deletionTime;
import static io.siltstone.kafka.judges.StoreCalls.first;
import static io.siltstone.kafka.judges.StoreCalls.key;
import static io.siltstone.kafka.judges.StoreCalls.last;
import static io.siltstone.kafka.judges.StoreCalls.text;
import static io.siltstone.kafka.judges.StoreCalls.texts;
import static io.siltstone.kafka.judges.StoreCalls.time;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.ReadOnlySessionStore;
import org.apache.kafka.streams.state.ReadOnlyWindowStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.VersionedBytesStore;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of stores of bytes, without what Kafka puts around them: random changes, random reads of a
 * store or of a view of it, and random records of its changelog.
 */
enum StoreKind {
  KEY_VALUE {
    @Override
    StateStore store(StoreEngine engine) {
      return engine.keyValueStore(NAME).get();
    }

    @Override
    Object view(StateStore store, IsolationLevel level) {
      return keyValues(store).readOnly(level);
    }

    @Override
    String change(StateStore store, Random random, long now) {
      Bytes key = key(random);
      byte[] value = bytes(random);
      return switch (random.nextInt(6)) {
        case 0 -> "delete " + key + " " + text(keyValues(store).delete(key));
        case 1 -> "absent " + key + " " + text(keyValues(store).putIfAbsent(key, value));
        case 2 -> {
          Bytes other = key(random);
          keyValues(store).putAll(List.of(KeyValue.pair(key, value), KeyValue.pair(other, value)));
          yield "put " + key + " " + other + " " + text(value);
        }
        default -> {
          keyValues(store).put(key, value);
          yield "put " + key + " " + text(value);
        }
      };
    }

    @Override
    @SuppressWarnings("unchecked") // as all views of such a store
    String read(Object view, Random random, long now) {
      ReadOnlyKeyValueStore<Bytes, byte[]> entries = (ReadOnlyKeyValueStore<Bytes, byte[]>) view;
      Bytes key = key(random);
      Bytes other = key(random);
      return switch (random.nextInt(6)) {
        case 0 -> "all " + texts(entries.all());
        case 1 -> "reverse " + texts(entries.reverseAll());
        case 2 ->
            "range "
                + List.of(key, other)
                + texts(entries.range(first(key, other), last(key, other)));
        case 3 ->
            "reverse "
                + List.of(key, other)
                + texts(entries.reverseRange(first(key, other), last(key, other)));
        case 4 ->
            // The prefix does not end with the byte ff, after which RocksDB shows later keys, too.
            "prefix " + texts(entries.prefixScan("a", Serdes.String().serializer()));
        default -> "get " + key + " " + text(entries.get(key));
      };
    }

    @Override
    void put(StateStore store, long time) {
      keyValues(store).put(KEY, VALUE);
    }

    @Override
    byte[] changelogKey(Random random, long time) {
      return key(random).get();
    }
  },

  WINDOWS {
    @Override
    StateStore store(StoreEngine engine) {
      return engine.windowStore(NAME, RETENTION, SIZE, false).get();
    }

    @Override
    Object view(StateStore store, IsolationLevel level) {
      return windows(store).readOnly(level);
    }

    @Override
    String change(StateStore store, Random random, long now) {
      Bytes key = key(random);
      byte[] value = bytes(random);
      long time = time(random, now);
      windows(store).put(key, value, time);
      return "put " + key + " " + time + " " + text(value);
    }

    @Override
    @SuppressWarnings("unchecked") // as all views of such a store
    String read(Object view, Random random, long now) {
      ReadOnlyWindowStore<Bytes, byte[]> windows = (ReadOnlyWindowStore<Bytes, byte[]>) view;
      Bytes key = key(random);
      Bytes other = key(random);
      long time = time(random, now);
      Instant from = Instant.ofEpochMilli(time);
      Instant to = from.plusSeconds(random.nextInt(200));
      return switch (random.nextInt(6)) {
        case 0 -> "all " + texts(windows.all()) + texts(windows.backwardAll());
        case 1 -> "fetch " + key + from + to + texts(windows.fetch(key, from, to));
        case 2 -> "backward " + key + from + to + texts(windows.backwardFetch(key, from, to));
        case 3 ->
            "fetch "
                + List.of(key, other)
                + from
                + to
                + texts(windows.fetch(first(key, other), last(key, other), from, to));
        case 4 -> "fetch " + from + to + texts(windows.fetchAll(from, to));
        default -> "fetch " + key + time + text(windows.fetch(key, time));
      };
    }

    @Override
    void put(StateStore store, long time) {
      windows(store).put(KEY, VALUE, time);
    }

    @Override
    String committed(StateStore store) {
      return "";
    }

    @Override
    byte[] changelogKey(Random random, long time) {
      byte[] key = key(random).get();
      return ByteBuffer.allocate(key.length + Long.BYTES + Integer.BYTES)
          .put(key)
          .putLong(time)
          .putInt(0)
          .array();
    }
  },

  SESSIONS {
    @Override
    StateStore store(StoreEngine engine) {
      return engine.sessionStore(NAME, RETENTION).get();
    }

    @Override
    Object view(StateStore store, IsolationLevel level) {
      return sessions(store).readOnly(level);
    }

    @Override
    String change(StateStore store, Random random, long now) {
      long start = time(random, now);
      Windowed<Bytes> session =
          new Windowed<>(key(random), new SessionWindow(start, start + random.nextInt(30_000)));
      if (random.nextInt(4) == 0) {
        sessions(store).remove(session);
        return "remove " + session;
      }
      byte[] value = bytes(random);
      sessions(store).put(session, value);
      return "put " + session + text(value);
    }

    @Override
    @SuppressWarnings("unchecked") // as all views of such a store
    String read(Object view, Random random, long now) {
      ReadOnlySessionStore<Bytes, byte[]> sessions = (ReadOnlySessionStore<Bytes, byte[]>) view;
      Bytes key = key(random);
      Bytes other = key(random);
      long from = time(random, now);
      long to = from + random.nextInt(200_000);
      return switch (random.nextInt(5)) {
        case 0 -> "fetch " + key + texts(sessions.fetch(key));
        case 1 -> "backward " + key + texts(sessions.backwardFetch(key));
        case 2 ->
            "fetch "
                + List.of(key, other)
                + texts(sessions.fetch(first(key, other), last(key, other)));
        case 3 -> "session " + key + from + " " + to + text(sessions.fetchSession(key, from, to));
        default -> "find " + key + from + " " + to + texts(sessions.findSessions(key, from, to));
      };
    }

    @Override
    void put(StateStore store, long time) {
      sessions(store).put(new Windowed<>(KEY, new SessionWindow(time, time)), VALUE);
    }

    @Override
    String committed(StateStore store) {
      return "";
    }

    @Override
    byte[] changelogKey(Random random, long time) {
      byte[] key = key(random).get();
      return ByteBuffer.allocate(key.length + 2 * Long.BYTES)
          .put(key)
          .putLong(time)
          .putLong(time - random.nextInt(30_000))
          .array();
    }
  },

  VERSIONS {
    @Override
    StateStore store(StoreEngine engine) {
      return engine.versionedStore(NAME, RETENTION).get();
    }

    @Override
    Object view(StateStore store, IsolationLevel level) {
      return ((VersionedBytesStore) store).readOnly(level);
    }

    @Override
    String change(StateStore store, Random random, long now) {
      VersionedBytesStore versions = (VersionedBytesStore) store;
      Bytes key = key(random);
      long time = time(random, now);
      if (random.nextInt(6) == 0) {
        return "delete " + key + " " + time + text(versions.delete(key, deletionTime(time)));
      }
      byte[] value = bytes(random);
      long at = value == null ? deletionTime(time) : time;
      return "put " + key + at + text(value) + " " + versions.put(key, value, at);
    }

    @Override
    String read(Object view, Random random, long now) {
      VersionedBytesStore versions = (VersionedBytesStore) view;
      Bytes key = key(random);
      long time = time(random, now);
      return random.nextBoolean()
          ? "get " + key + text(versions.get(key))
          : "get " + key + time + text(versions.get(key, time));
    }

    @Override
    void put(StateStore store, long time) {
      ((VersionedBytesStore) store).put(KEY, VALUE, time);
    }

    @Override
    String committed(StateStore store) {
      return "";
    }

    @Override
    byte[] changelogKey(Random random, long time) {
      return key(random).get();
    }
  };

  static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

  private static final String NAME = "store";
  private static final Bytes KEY = Bytes.wrap(new byte[] {'k'});
  private static final byte[] VALUE = {'v'};

  private static final Duration RETENTION = Duration.ofSeconds(150);
  private static final Duration SIZE = Duration.ofSeconds(20);

  abstract StateStore store(StoreEngine engine);

  /** Returns a view of what is committed, or of everything. */
  abstract Object view(StateStore store, IsolationLevel level);

  /** Makes a random change; returns what it was and what it returned. */
  abstract String change(StateStore store, Random random, long now);

  /**
   * Makes a random read.
   *
   * @param view a store, or a view of it
   * @return what it was and what it returned
   */
  abstract String read(Object view, Random random, long now);

  /**
   * Returns a random key as it is in the changelog.
   *
   * @param time of its window or session
   */
  abstract byte[] changelogKey(Random random, long time);

  /** Puts an entry of a time, from which a store that was opened again knows what has expired. */
  abstract void put(StateStore store, long time);

  /** Returns what was committed of offsets and positions, as far as RocksDB's stores keep it. */
  String committed(StateStore store) {
    return "offset " + store.committedOffset(CHANGELOG) + " " + store.getPosition();
  }

  /** Returns the value of a record of the changelog; null, which deletes, in one of four. */
  static byte @Nullable [] changelogValue(Random random) {
    return random.nextInt(4) == 0
        ? null
        : Integer.toString(random.nextInt(1000)).getBytes(StandardCharsets.US_ASCII);
  }

  @SuppressWarnings("unchecked") // as built
  private static KeyValueStore<Bytes, byte[]> keyValues(StateStore store) {
    return (KeyValueStore<Bytes, byte[]>) store;
  }

  @SuppressWarnings("unchecked") // as built
  private static WindowStore<Bytes, byte[]> windows(StateStore store) {
    return (WindowStore<Bytes, byte[]>) store;
  }

  @SuppressWarnings("unchecked") // as built
  private static SessionStore<Bytes, byte[]> sessions(StateStore store) {
    return (SessionStore<Bytes, byte[]>) store;
  }
}
