package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.TestKeys;
import io.siltstone.testkit.LeakChecking;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random histories of a store beside a map. A run can be repeated with {@code -Dsiltstone.seed=N},
 * and enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomKeyValuesTest {
  private static final int RUNS = 5;
  private static final int STEPS = 1_000;
  private static final int MAX_SNAPSHOTS = 4;
  private static final int FEW_KEYS = 40;
  private static final int MANY_KEYS = 2_000;
  private static final byte[] NONE = {};

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  /** A value and when it expires, in seconds since 1970. */
  private static final class Entry {
    final byte[] value;
    final long expiresAt;

    Entry(byte[] value, long expiresAt) {
      this.value = value;
      this.expiresAt = expiresAt;
    }
  }

  @Test
  void answersAsAMapDoes() throws IOException {
    run(RUNS, UnaryOperator.identity());
  }

  @Test
  void answersAsAMapDoesOnAnEncryptedDisk() throws IOException {
    run(RUNS / 4, disk -> EncryptedDirectory.over(disk, TestKeys.one()));
  }

  private void run(int runs, UnaryOperator<Directory> wrapper) throws IOException {
    Long one = Long.getLong("siltstone.seed");
    long[] seeds =
        one != null
            ? new long[] {one}
            : LongStream.range(0, (long) runs * Integer.getInteger("siltstone.scale", 1)).toArray();
    for (long seed : seeds) {
      try (History history = new History(seed, wrapper.apply(leaks.watch(new MemoryDirectory())))) {
        history.run();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
  }

  /** A snapshot and what it must show. */
  private record Past(KeyValueSnapshot snapshot, NavigableMap<byte[], byte[]> entries) {}

  /** An iterator, what it must show, and where it must stand. */
  private static final class Walk {
    final KeyValueIterator iterator;
    final NavigableMap<byte[], byte[]> entries;
    byte @Nullable [] at;

    Walk(KeyValueIterator iterator, NavigableMap<byte[], byte[]> entries) {
      this.iterator = iterator;
      this.entries = entries;
    }

    void check() {
      if (iterator.isValid() != (at != null)) {
        throw new AssertionError("stands at an entry: " + iterator.isValid());
      }
      if (at != null) {
        byte[] value = entries.get(at);
        boolean equal =
            Arrays.equals(iterator.key(), at)
                && Arrays.equals(iterator.value(), value)
                && iterator.keyView().equals(ByteBuffer.wrap(at))
                && iterator.valueView().equals(ByteBuffer.wrap(value));
        if (!equal) {
          HexFormat hex = HexFormat.of();
          throw new AssertionError(
              "stands at " + hex.formatHex(iterator.key()) + ", not " + hex.formatHex(at));
        }
      }
    }
  }

  private static final class History implements Closeable {
    private final Random random;
    private final Directory disk;
    private final DatabaseOptions options;
    private final AtomicLong now = new AtomicLong(1_700_000_000);
    private final NavigableMap<byte[], Entry> model = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Past> pasts = new ArrayList<>();
    private final int keys;
    private final int largestValue;
    private @Nullable Walk walk;
    private KeyValueStore store;
    private String last = "nothing";

    History(long seed, Directory disk) throws IOException {
      this.random = new Random(seed);
      this.disk = disk;
      this.keys = random.nextBoolean() ? FEW_KEYS : MANY_KEYS;
      this.largestValue = random.nextInt(4) == 0 ? 100_000 : 100;
      this.options =
          DatabaseOptions.builder()
              .compaction(Compaction.none())
              .clock(() -> Instant.ofEpochSecond(now.get()))
              .build();
      this.store = KeyValueStore.open(disk, options);
    }

    void run() throws IOException {
      for (int i = 0; keys == MANY_KEYS && i < MANY_KEYS / 2; i++) {
        put(null);
      }
      for (int i = 0; i < STEPS; i++) {
        try {
          step();
        } catch (IOException | RuntimeException | AssertionError e) {
          throw new AssertionError("step " + i + ", " + last + ": " + e.getMessage(), e);
        }
      }
    }

    private void step() throws IOException {
      switch (random.nextInt(32)) {
        case 0 -> {
          last = "flush";
          store.table().flush();
        }
        case 1 -> {
          if (random.nextInt(10) == 0) {
            last = "reopen";
            reopen();
          }
        }
        case 2 -> {
          last = "time";
          now.addAndGet(random.nextInt(4));
        }
        case 3 -> {
          if (keys == MANY_KEYS && random.nextInt(20) > 0) {
            break;
          }
          last = "deleteRange";
          byte[] from = random.nextInt(8) == 0 ? null : key();
          byte[] to = from == null ? key() : Arrays.copyOf(from, from.length + 1);
          to[to.length / 2] += (byte) random.nextInt(3);
          if (from == null || Arrays.compareUnsigned(from, to) <= 0) {
            boolean fromInclusive = random.nextBoolean();
            boolean toInclusive = random.nextBoolean();
            store.deleteRange(from, fromInclusive, to, toInclusive);
            (from == null
                    ? model.headMap(to, toInclusive)
                    : model.subMap(from, fromInclusive, to, toInclusive))
                .clear();
          }
        }
        case 4, 5 -> snapshot();
        case 6, 7, 8 -> {
          last = "batch";
          batch();
        }
        case 9, 10, 11, 12 -> {
          last = "delete";
          byte[] key = key();
          store.delete(key);
          model.remove(key);
        }
        case 13, 14 -> checkGet();
        case 15 -> checkMultiGet();
        case 16, 17, 18, 19, 20, 21, 22 -> walk();
        case 23, 24 -> conditional();
        default -> put(null);
      }
    }

    private void reopen() throws IOException {
      closeAll();
      store.close();
      // A clock that stands still would give the timestamps of before once more.
      now.incrementAndGet();
      store = KeyValueStore.open(disk, options);
    }

    private byte[] key() {
      int number = random.nextInt(keys);
      // Of several lengths, with prefixes of each other, and equal in the first eight bytes.
      String text = Integer.toString(number, 3);
      byte[] key = new byte[number % 3 == 0 ? text.length() : 8 + text.length()];
      for (int i = 0; i < text.length(); i++) {
        key[key.length - text.length() + i] = (byte) (text.charAt(i) * 77);
      }
      return key;
    }

    private byte[] value() {
      byte[] value = new byte[random.nextInt(random.nextInt(20) == 0 ? largestValue : 20)];
      random.nextBytes(value);
      return value;
    }

    private void put(@Nullable KeyValueBatch batch) throws IOException {
      byte[] key = key();
      byte[] value = value();
      int ttl = random.nextInt(3) == 0 ? random.nextInt(6) : -1;
      last = "put " + HexFormat.of().formatHex(key) + " ttl " + ttl;
      if (batch != null) {
        var unused = ttl < 0 ? batch.put(key, value) : batch.put(key, value, ttl);
      } else if (ttl < 0) {
        store.put(key, value);
      } else {
        store.put(key, value, ttl);
      }
      long seconds = now.get();
      model.put(key, new Entry(value, ttl <= 0 ? Long.MAX_VALUE : seconds + ttl));
    }

    private void conditional() throws IOException {
      byte[] key = key();
      byte[] value = value();
      byte[] present = presentValue(key);
      boolean isWritten;
      if (random.nextBoolean()) {
        last = "putIfAbsent " + HexFormat.of().formatHex(key);
        isWritten = present == null;
        assertThat(store.putIfAbsent(key, value)).isEqualTo(isWritten);
      } else {
        last = "replace " + HexFormat.of().formatHex(key);
        byte[] expected = present == null || random.nextInt(3) == 0 ? value() : present.clone();
        isWritten = Arrays.equals(present, expected);
        assertThat(store.replace(key, expected, value)).isEqualTo(isWritten);
      }
      if (isWritten) {
        model.put(key, new Entry(value, Long.MAX_VALUE));
      }
    }

    private byte @Nullable [] presentValue(byte[] key) {
      Entry entry = model.get(key);
      return entry != null && now.get() < entry.expiresAt ? entry.value : null;
    }

    private void batch() throws IOException {
      KeyValueBatch batch = new KeyValueBatch();
      int size = random.nextInt(20);
      for (int i = 0; i < size; i++) {
        if (keys == FEW_KEYS && random.nextInt(12) == 0) {
          byte[] from = key();
          byte[] to = Arrays.copyOf(from, from.length + 1);
          to[to.length / 2] += (byte) random.nextInt(3);
          if (Arrays.compareUnsigned(from, to) <= 0) {
            batch.deleteRange(from, to);
            model.subMap(from, to).clear();
          }
        } else if (random.nextInt(3) == 0) {
          byte[] key = key();
          batch.delete(key);
          model.remove(key);
        } else {
          put(batch);
        }
      }
      store.write(batch);
    }

    private NavigableMap<byte[], byte[]> present() {
      long seconds = now.get();
      NavigableMap<byte[], byte[]> present = new TreeMap<>(Arrays::compareUnsigned);
      model.forEach(
          (key, entry) -> {
            if (seconds < entry.expiresAt) {
              present.put(key, entry.value);
            }
          });
      return present;
    }

    private void checkGet() throws IOException {
      byte[] key = key();
      last = "get " + HexFormat.of().formatHex(key);
      byte[] expected = presentValue(key);
      assertThat(store.get(key)).isEqualTo(expected);
      assertThat(store.contains(key)).isEqualTo(expected != null);
      ByteBuffer into = ByteBuffer.allocate(10);
      int length = store.get(key, into);
      assertThat(length).isEqualTo(expected == null ? KeyValueStore.MISSING : expected.length);
      if (expected != null) {
        assertThat(into.flip())
            .isEqualTo(ByteBuffer.wrap(expected, 0, Math.min(10, expected.length)));
      }
    }

    private void checkMultiGet() throws IOException {
      List<byte[]> asked = new ArrayList<>();
      for (int i = random.nextInt(60); i > 0; i--) {
        // Some of them more than once.
        asked.add(asked.isEmpty() || random.nextInt(9) > 0 ? key() : asked.get(0).clone());
      }
      last = "multiGet of " + asked.size();
      checkValues(store.multiGet(asked), asked, this::presentValue);
      for (Past past : pasts) {
        checkValues(past.snapshot.multiGet(asked), asked, past.entries::get);
      }
    }

    private static void checkValues(
        List<byte @Nullable []> values,
        List<byte[]> asked,
        Function<byte[], byte @Nullable []> expected) {
      assertThat(values).hasSameSizeAs(asked);
      for (int i = 0; i < asked.size(); i++) {
        assertThat(values.get(i)).isEqualTo(expected.apply(asked.get(i)));
      }
    }

    private void snapshot() throws IOException {
      last = "snapshot";
      if (pasts.size() < MAX_SNAPSHOTS && random.nextBoolean()) {
        pasts.add(new Past(store.snapshot(), present()));
      } else if (!pasts.isEmpty()) {
        Past past = pasts.get(random.nextInt(pasts.size()));
        for (int i = 0; i < 5; i++) {
          byte[] key = key();
          byte[] expected = past.entries.get(key);
          assertThat(past.snapshot.get(key)).isEqualTo(expected);
          assertThat(past.snapshot.contains(key)).isEqualTo(expected != null);
          ByteBuffer into = ByteBuffer.allocate(100_000);
          byte[] longer = Arrays.copyOf(key, key.length + 1);
          assertThat(past.snapshot.get(longer, 0, key.length, into))
              .isEqualTo(expected == null ? KeyValueStore.MISSING : expected.length);
          assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(expected == null ? NONE : expected));
        }
        if (random.nextInt(4) == 0) {
          pasts.remove(past);
          past.snapshot.close();
        }
      }
    }

    private void walk() throws IOException {
      Walk present = walk;
      if (present == null || random.nextInt(12) == 0) {
        last = "iterator";
        closeWalk();
        openWalk();
        return;
      }
      NavigableMap<byte[], byte[]> entries = present.entries;
      KeyValueIterator iterator = present.iterator;
      byte[] key = key();
      switch (random.nextInt(present.at == null ? 4 : 7)) {
        case 0 -> {
          last = "seekToFirst";
          iterator.seekToFirst();
          present.at = entries.isEmpty() ? null : entries.firstKey();
        }
        case 1 -> {
          last = "seekToLast";
          iterator.seekToLast();
          present.at = entries.isEmpty() ? null : entries.lastKey();
        }
        case 2 -> {
          last = "seek " + HexFormat.of().formatHex(key);
          iterator.seek(key);
          present.at = entries.ceilingKey(key);
        }
        case 3 -> {
          last = "seekForPrev " + HexFormat.of().formatHex(key);
          iterator.seekForPrev(key);
          present.at = entries.floorKey(key);
        }
        default -> steps(present);
      }
      present.check();
    }

    private void steps(Walk present) throws IOException {
      boolean forward = random.nextBoolean();
      last = forward ? "next" : "prev";
      int steps = random.nextInt(random.nextInt(10) == 0 ? 2_000 : 5);
      for (int i = 0; i < steps && present.at != null; i++) {
        if (forward) {
          present.iterator.next();
          present.at = present.entries.higherKey(present.at);
        } else {
          present.iterator.prev();
          present.at = present.entries.lowerKey(present.at);
        }
        present.check();
      }
    }

    private void openWalk() throws IOException {
      Past past =
          pasts.isEmpty() || random.nextBoolean() ? null : pasts.get(random.nextInt(pasts.size()));
      NavigableMap<byte[], byte[]> entries = past == null ? present() : past.entries;
      byte[] from = random.nextInt(3) == 0 ? key() : null;
      byte[] to = random.nextInt(3) == 0 ? key() : null;
      if (from != null && random.nextInt(4) == 0) {
        to = from;
      }
      if (from != null && to != null && Arrays.compareUnsigned(from, to) > 0) {
        byte[] other = from;
        from = to;
        to = other;
      }
      boolean fromInclusive = random.nextBoolean();
      boolean toInclusive = random.nextBoolean();
      NavigableMap<byte[], byte[]> range = new TreeMap<>(entries);
      if (from != null) {
        range = range.tailMap(from, fromInclusive);
      }
      if (to != null) {
        // A map refuses bounds of which the same key is one and is left out by the other.
        boolean isNothing =
            from != null && Arrays.equals(from, to) && !(fromInclusive && toInclusive);
        range = isNothing ? new TreeMap<>(range.comparator()) : range.headMap(to, toInclusive);
      }
      KeyValueIterator iterator =
          past == null
              ? store.iterator(from, fromInclusive, to, toInclusive)
              : past.snapshot.iterator(from, fromInclusive, to, toInclusive);
      walk = new Walk(iterator, range);
      checkAll(walk);
    }

    private static void checkAll(Walk of) throws IOException {
      KeyValueIterator iterator = of.iterator;
      iterator.seekToFirst();
      for (Map.Entry<byte[], byte[]> entry : of.entries.entrySet()) {
        of.at = entry.getKey();
        of.check();
        iterator.next();
      }
      of.at = null;
      of.check();
      iterator.seekToLast();
      for (byte[] key : of.entries.descendingKeySet()) {
        of.at = key;
        of.check();
        iterator.prev();
      }
      of.at = null;
      of.check();
    }

    private void closeWalk() throws IOException {
      if (walk != null) {
        walk.iterator.close();
        walk = null;
      }
    }

    private void closeAll() throws IOException {
      closeWalk();
      for (Past past : pasts) {
        past.snapshot.close();
      }
      pasts.clear();
    }

    @Override
    public void close() throws IOException {
      closeAll();
      store.close();
    }
  }
}
