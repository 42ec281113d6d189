package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.LeakChecking;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random histories of several stores, of batches over them that are read before they are written,
 * and of snapshots and iterators that are kept, beside maps. A run can be repeated with {@code
 * -Dsiltstone.seed=N}, and enlarged with {@code -Dsiltstone.scale=N}.
 */
class RandomKeyValueBatchesTest {
  private static final int RUNS = 5;
  private static final int STEPS = 700;
  private static final int STORES = 3;
  private static final int KEPT = 3;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  @Test
  void batchesAreReadAndWrittenAsMapsAre() throws IOException {
    Long one = Long.getLong("siltstone.seed");
    long[] seeds =
        one != null
            ? new long[] {one}
            : LongStream.range(0, (long) RUNS * Integer.getInteger("siltstone.scale", 1)).toArray();
    for (long seed : seeds) {
      try (History history = new History(seed, leaks.watch(new MemoryDirectory()))) {
        history.run();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("repeat with -Dsiltstone.seed=" + seed + ": " + e, e);
      }
    }
  }

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
      boolean isExpected =
          at == null
              ? !iterator.isValid()
              : iterator.isValid()
                  && Arrays.equals(iterator.key(), at)
                  && Arrays.equals(iterator.value(), entries.get(at));
      if (!isExpected) {
        HexFormat hex = HexFormat.of();
        throw new AssertionError(
            "stands at "
                + (iterator.isValid() ? hex.formatHex(iterator.key()) : "no entry")
                + ", not "
                + (at == null ? "none" : hex.formatHex(at)));
      }
    }

    void checkAll() throws IOException {
      iterator.seekToFirst();
      for (byte[] key : entries.navigableKeySet()) {
        at = key;
        check();
        iterator.next();
      }
      at = null;
      check();
      iterator.seekToLast();
      for (byte[] key : entries.descendingKeySet()) {
        at = key;
        check();
        iterator.prev();
      }
      at = null;
      check();
    }

    void move(Random random, byte[] key) throws IOException {
      switch (random.nextInt(at == null ? 4 : 8)) {
        case 0 -> {
          iterator.seekToFirst();
          at = entries.isEmpty() ? null : entries.firstKey();
        }
        case 1 -> {
          iterator.seekToLast();
          at = entries.isEmpty() ? null : entries.lastKey();
        }
        case 2 -> {
          iterator.seek(key);
          at = entries.ceilingKey(key);
        }
        case 3 -> {
          iterator.seekForPrev(key);
          at = entries.floorKey(key);
        }
        default -> {
          for (int i = random.nextInt(6); i >= 0 && at != null; i--) {
            if (random.nextInt(3) > 0) {
              iterator.next();
              at = entries.higherKey(at);
            } else {
              iterator.prev();
              at = entries.lowerKey(at);
            }
            check();
          }
        }
      }
      check();
    }
  }

  /** Snapshots of some stores, and what they must show. */
  private record Moment(
      KeyValueSnapshots snapshots, List<Integer> of, List<NavigableMap<byte[], byte[]>> entries) {}

  private static final class History implements Closeable {
    private final Random random;
    private final Directory disk;
    private final DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .partitioner(Partitioner.BYTE_ORDERED)
            .memoryBytes(64 << 20)
            .memtableBytes(16 << 20)
            .chunkCacheBytes(1 << 20)
            .build();
    private final DatabaseOptions readOnly = options.toBuilder().readOnly(true).build();
    private final int longestKey;
    private final List<NavigableMap<byte[], byte[]>> model = new ArrayList<>();
    private final List<List<Consumer<NavigableMap<byte[], byte[]>>>> staged = new ArrayList<>();
    private final List<Walk> walks = new ArrayList<>();
    private final List<Moment> moments = new ArrayList<>();
    private final List<KeyValueStore> stores = new ArrayList<>();
    private Database database;
    private KeyValueIndexedBatch batch;
    private String last = "nothing";

    History(long seed, Directory disk) throws IOException {
      this.random = new Random(seed);
      this.disk = disk;
      this.longestKey = 1 + random.nextInt(4);
      try (Database created = Database.open(disk, options)) {
        for (String name : List.of("w.a", "w.b", "loose.c")) {
          created.createTable(
              "CREATE TABLE "
                  + name
                  + " (key blob PRIMARY KEY, value blob) WITH gc_grace_seconds = 0"
                  + (name.equals("loose.c") ? " AND durable_writes = false" : ""));
          model.add(map());
          staged.add(new ArrayList<>());
        }
      }
      database = open();
      batch = KeyValueIndexedBatch.of(database);
    }

    private static NavigableMap<byte[], byte[]> map() {
      return new TreeMap<>(Arrays::compareUnsigned);
    }

    private Database open() throws IOException {
      Database opened = Database.open(disk, options);
      stores.clear();
      stores.addAll(storesOf(opened));
      return opened;
    }

    private static List<KeyValueStore> storesOf(Database of) {
      return List.of(
          KeyValueStore.in(of, "w", "a"),
          KeyValueStore.in(of, "w", "b"),
          KeyValueStore.in(of, "loose", "c"));
    }

    void run() throws IOException {
      for (int i = 0; i < STEPS; i++) {
        try {
          step();
        } catch (IOException | RuntimeException | AssertionError e) {
          throw new AssertionError("step " + i + ", " + last + ": " + e.getMessage(), e);
        }
      }
    }

    private void step() throws IOException {
      int store = random.nextInt(STORES);
      switch (random.nextInt(40)) {
        case 0 -> {
          last = "flush";
          stores.get(store).table().flush();
        }
        case 1 -> {
          if (random.nextInt(12) == 0) {
            reopen();
          }
        }
        case 2 -> {
          if (random.nextInt(20) == 0) {
            copies();
          }
        }
        case 3, 4 -> plainBatch();
        case 5 -> {
          last = "commit";
          if (random.nextBoolean()) {
            batch.commit();
          } else {
            var unused = batch.commitAsync();
          }
          for (int i = 0; i < STORES; i++) {
            model.set(i, expected(i));
          }
          requireEmptyBatch();
        }
        case 6 -> {
          last = "clear";
          batch.clear();
          requireEmptyBatch();
        }
        case 7, 8, 9 -> {
          last = "staged deleteRange";
          deleteRange(store);
        }
        case 10, 11, 12 -> direct(store);
        case 13, 14, 15 -> {
          byte[] key = key();
          last = "staged delete " + HexFormat.of().formatHex(key);
          batch.delete(stores.get(store), key);
          staged.get(store).add(entries -> entries.remove(key));
        }
        case 16, 17, 18, 19, 20, 21 -> {
          byte[] key = key();
          byte[] value = value();
          last = "staged put " + HexFormat.of().formatHex(key);
          batch.put(stores.get(store), key, value);
          byte[] put = key.clone();
          staged.get(store).add(entries -> entries.put(put, value));
          // It was copied.
          key[0]++;
        }
        case 22, 23, 24, 25 -> {
          byte[] key = key();
          last = "get " + HexFormat.of().formatHex(key);
          byte[] expected = expected(store).get(key);
          assertThat(batch.get(stores.get(store), key)).isEqualTo(expected);
          assertThat(batch.contains(stores.get(store), key)).isEqualTo(expected != null);
          assertThat(stores.get(store).get(key)).isEqualTo(model.get(store).get(key));
        }
        case 26, 27 -> openWalk(store);
        case 28 -> moments();
        default -> {
          if (!walks.isEmpty()) {
            last = "a move";
            walks.get(random.nextInt(walks.size())).move(random, key());
          }
        }
      }
      requireSize();
    }

    private void requireEmptyBatch() {
      staged.forEach(List::clear);
      assertThat(batch.size()).isZero();
      assertThat(batch.approximateBytes()).isZero();
    }

    private void requireSize() {
      assertThat(batch.size() > 0).isEqualTo(batch.approximateBytes() > 0);
      assertThat(batch.approximateBytes()).isGreaterThanOrEqualTo(batch.dataBytes());
    }

    /** Returns what the batch must show of a store. */
    private NavigableMap<byte[], byte[]> expected(int store) {
      NavigableMap<byte[], byte[]> entries = map();
      entries.putAll(model.get(store));
      staged.get(store).forEach(change -> change.accept(entries));
      return entries;
    }

    private byte[] key() {
      byte[] key = new byte[1 + random.nextInt(longestKey)];
      for (int i = 0; i < key.length; i++) {
        key[i] = (byte) (random.nextInt(4) * 85);
      }
      return key;
    }

    private byte[] value() {
      byte[] value = new byte[random.nextInt(random.nextInt(50) == 0 ? 10_000 : 12)];
      random.nextBytes(value);
      return value;
    }

    private void deleteRange(int store) {
      byte[] from = random.nextInt(8) == 0 ? null : random.nextInt(8) == 0 ? new byte[0] : key();
      byte[] to = random.nextInt(8) == 0 ? null : key();
      if (from != null && to != null && Arrays.compareUnsigned(from, to) > 0) {
        byte[] other = from;
        from = to;
        to = other;
      }
      boolean fromInclusive = random.nextBoolean();
      boolean toInclusive = random.nextBoolean();
      batch.deleteRange(stores.get(store), from, fromInclusive, to, toInclusive);
      byte[] first = from;
      byte[] end = to;
      staged
          .get(store)
          .add(entries -> range(entries, first, fromInclusive, end, toInclusive).clear());
    }

    private static NavigableMap<byte[], byte[]> range(
        NavigableMap<byte[], byte[]> entries,
        byte @Nullable [] from,
        boolean fromInclusive,
        byte @Nullable [] to,
        boolean toInclusive) {
      if (from != null && to != null && Arrays.equals(from, to)) {
        // A map refuses bounds of which the same key is one and is left out by the other.
        boolean isOne = fromInclusive && toInclusive;
        return isOne ? entries.subMap(from, true, to, true) : map();
      }
      NavigableMap<byte[], byte[]> range =
          from == null ? entries : entries.tailMap(from, fromInclusive);
      return to == null ? range : range.headMap(to, toInclusive);
    }

    private void direct(int store) throws IOException {
      byte[] key = key();
      last = "direct write of " + HexFormat.of().formatHex(key);
      if (random.nextInt(3) == 0) {
        stores.get(store).delete(key);
        model.get(store).remove(key);
      } else {
        byte[] value = value();
        stores.get(store).put(key, value);
        model.get(store).put(key, value);
      }
    }

    private void plainBatch() throws IOException {
      last = "batch";
      int writer = random.nextInt(STORES);
      KeyValueBatch plain = new KeyValueBatch();
      for (int i = random.nextInt(10); i > 0; i--) {
        int store = random.nextInt(STORES);
        byte[] key = key();
        if (random.nextInt(3) == 0) {
          var unused = store == writer ? plain.delete(key) : plain.delete(stores.get(store), key);
          model.get(store).remove(key);
        } else {
          byte[] value = value();
          var unused =
              store == writer ? plain.put(key, value) : plain.put(stores.get(store), key, value);
          model.get(store).put(key, value);
        }
      }
      stores.get(writer).write(plain);
    }

    private void openWalk(int store) throws IOException {
      last = "iterator";
      if (walks.size() == KEPT) {
        walks.remove(random.nextInt(KEPT)).iterator.close();
      }
      NavigableMap<byte[], byte[]> entries = expected(store);
      Walk walk;
      switch (random.nextInt(3)) {
        case 0 -> walk = new Walk(batch.iterator(stores.get(store)), entries);
        case 1 -> {
          byte[] prefix = Arrays.copyOf(key(), random.nextInt(2));
          NavigableMap<byte[], byte[]> within = map();
          entries.forEach(
              (key, value) -> {
                if (Arrays.mismatch(key, prefix) == prefix.length || Arrays.equals(key, prefix)) {
                  within.put(key, value);
                }
              });
          walk = new Walk(batch.iteratorOfPrefix(stores.get(store), prefix), within);
        }
        default -> {
          byte[] from = key();
          byte[] to = random.nextInt(3) == 0 ? null : key();
          if (to != null && Arrays.compareUnsigned(from, to) > 0) {
            byte[] other = from;
            from = to;
            to = other;
          }
          boolean fromInclusive = random.nextBoolean();
          boolean toInclusive = random.nextBoolean();
          walk =
              new Walk(
                  batch.iterator(stores.get(store), from, fromInclusive, to, toInclusive),
                  range(entries, from, fromInclusive, to, toInclusive));
        }
      }
      walks.add(walk);
      walk.checkAll();
    }

    private void moments() throws IOException {
      last = "snapshots";
      if (moments.size() < KEPT) {
        List<Integer> of = random.nextBoolean() ? List.of(0, 1, 2) : List.of(2, random.nextInt(2));
        List<KeyValueStore> taken = of.stream().map(stores::get).toList();
        List<NavigableMap<byte[], byte[]>> entries = new ArrayList<>();
        for (int store : of) {
          NavigableMap<byte[], byte[]> copy = map();
          copy.putAll(model.get(store));
          entries.add(copy);
        }
        moments.add(new Moment(KeyValueSnapshots.take(taken), of, entries));
        return;
      }
      Moment moment = moments.remove(random.nextInt(KEPT));
      for (int i = 0; i < moment.of.size(); i++) {
        KeyValueSnapshot snapshot = moment.snapshots.of(stores.get(moment.of.get(i)));
        try (KeyValueIterator entries = snapshot.iterator()) {
          new Walk(entries, moment.entries.get(i)).checkAll();
        }
        byte[] key = key();
        assertThat(snapshot.get(key)).isEqualTo(moment.entries.get(i).get(key));
      }
      moment.snapshots.close();
    }

    /** Checks that a checkpoint and a backup have what was written, and not what is staged. */
    private void copies() throws IOException {
      last = "checkpoint";
      MemoryDirectory target = new MemoryDirectory();
      database.checkpoint(target);
      requireWritten(target);
      last = "backup";
      Backups backups = Backups.in(new MemoryDirectory());
      requireWritten(backups.directory(backups.create(database).id()));
    }

    private void requireWritten(Directory copy) throws IOException {
      try (Database opened = Database.open(copy, readOnly)) {
        List<KeyValueStore> copied = storesOf(opened);
        for (int i = 0; i < STORES; i++) {
          try (KeyValueIterator entries = copied.get(i).iterator()) {
            new Walk(entries, model.get(i)).checkAll();
          }
        }
      }
    }

    private void reopen() throws IOException {
      last = "reopen";
      closeAll();
      database.close();
      database = open();
      batch = KeyValueIndexedBatch.of(database);
      staged.forEach(List::clear);
      requireWritten(disk);
    }

    private void closeAll() throws IOException {
      for (Walk walk : walks) {
        walk.iterator.close();
      }
      walks.clear();
      for (Moment moment : moments) {
        moment.snapshots.close();
      }
      moments.clear();
      batch.close();
    }

    @Override
    public void close() throws IOException {
      closeAll();
      database.close();
    }
  }
}
