package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handles that other threads close while they are used: what they show until then is right, and
 * what is asked for afterwards is refused. Enlarged with {@code -Dsiltstone.scale=N}.
 */
class ConcurrentClosingTest {
  private static final int ROUNDS = 2 * Integer.getInteger("siltstone.scale", 1);
  private static final int KEYS = 300;

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @AfterEach
  void noThreadIsLeft() {
    Leftovers.requireNoThreads();
  }

  /** Uses a handle until that is closed. */
  @FunctionalInterface
  private interface Use<T extends Closeable> {
    void run(T handle) throws IOException;
  }

  /** Opens a handle. */
  @FunctionalInterface
  private interface Opening<T extends Closeable> {
    T open() throws IOException;
  }

  /** One thread that opens handles and uses them, while others may close what it has open. */
  private final class User<T extends Closeable> extends Thread {
    private final Opening<T> opening;
    private final Use<T> use;
    private final AtomicBoolean end;
    private final AtomicReference<@Nullable Closeable> present = new AtomicReference<>();

    User(AtomicBoolean end, Opening<T> opening, Use<T> use) {
      this.end = end;
      this.opening = opening;
      this.use = use;
    }

    @Override
    public void run() {
      while (!end.get()) {
        try (T handle = opening.open()) {
          present.set(handle);
          use.run(handle);
        } catch (IllegalStateException e) {
          if (!String.valueOf(e.getMessage()).contains("closed")) {
            failures.add(e);
          }
        } catch (Throwable e) {
          failures.add(e);
        }
      }
    }

    void closePresent() throws IOException {
      Closeable handle = present.getAndSet(null);
      if (handle != null) {
        handle.close();
      }
    }
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) (i >> 8), (byte) i};
  }

  private static byte[] value(byte[] key) {
    byte[] value = new byte[200 + 7 * (key[1] & 0xff)];
    Arrays.fill(value, (byte) (31 * key[0] + 17 * key[1] + 1));
    return value;
  }

  private static void check(KeyValueIterator entries) {
    byte[] key = entries.key();
    byte[] value = entries.value();
    assertThat(value).isEqualTo(value(key));
  }

  private static void walk(KeyValueIterator entries, boolean reversed) throws IOException {
    if (reversed) {
      entries.seekToLast();
    } else {
      entries.seekToFirst();
    }
    int count = 0;
    while (entries.isValid()) {
      check(entries);
      count++;
      if (reversed) {
        entries.prev();
      } else {
        entries.next();
      }
    }
    assertThat(count).isEqualTo(KEYS);
  }

  private static void check(Row row) {
    assertThat(row.getInt("v")).isEqualTo(1000 * row.getInt("k") + row.getInt("c"));
  }

  private static void write(Database database) throws IOException {
    Table table =
        database.createTable(
            "CREATE TABLE w.t (k int, c int, v int, pad blob, PRIMARY KEY (k, c))");
    var unused = database.createTable("CREATE TABLE w.kv (key blob PRIMARY KEY, value blob)");
    KeyValueStore store = KeyValueStore.in(database, "w", "kv");
    for (int round = 0; round < 3; round++) {
      for (int i = round; i < KEYS; i += 1 + round) {
        store.put(key(i), value(key(i)));
        int k = i % 5;
        table.write(
            table.mutation(k).insert(i).set("v", 1000 * k + i).set("pad", new byte[300]).build());
      }
      if (round < 2) {
        database.flush();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingWrongIsSeenOfWhatOthersClose(boolean withDatabase) throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .partitioner(Partitioner.BYTE_ORDERED)
            .chunkCacheBytes(256 << 10)
            .build();
    for (int round = 0; round < ROUNDS && failures.isEmpty(); round++) {
      try (Database database = Database.open(new MemoryDirectory(), options)) {
        write(database);
        Closeable closed = database;
        AtomicBoolean end = new AtomicBoolean();
        List<User<?>> users = users(database, end);
        users.forEach(Thread::start);
        SplittableRandom random = new SplittableRandom(round);
        for (int i = 0; i < 150; i++) {
          users.get(random.nextInt(users.size())).closePresent();
        }
        if (withDatabase) {
          closed.close();
        }
        end.set(true);
        for (User<?> user : users) {
          user.join();
        }
        if (!withDatabase) {
          assertThat(database.statistics().openHandles()).isZero();
        }
      }
    }
    assertThat(failures).isEmpty();
  }

  private List<User<?>> users(Database database, AtomicBoolean end) {
    Table table = database.table("w", "t");
    KeyValueStore store = KeyValueStore.in(database, "w", "kv");
    Query all = table.query().build();
    Query one = table.query().partition(3).reversed().build();
    List<User<?>> users = new ArrayList<>();
    for (Query query : List.of(all, one)) {
      users.add(
          new User<LiveRows>(
              end,
              () -> table.read(query),
              rows -> {
                int count = 0;
                while (rows.hasNext()) {
                  check(rows.next());
                  count++;
                }
                assertThat(count).isEqualTo(query == all ? KEYS : KEYS / 5);
              }));
    }
    users.add(
        new User<PartitionCursor>(
            end,
            () -> table.cursor(new Read.OfRange(PartitionRange.ALL)),
            cursor -> {
              int count = 0;
              while (cursor.nextPartition()) {
                while (cursor.nextUnfiltered()) {
                  count++;
                }
              }
              assertThat(count).isEqualTo(KEYS);
            }));
    for (boolean reversed : new boolean[] {false, true}) {
      users.add(
          new User<KeyValueIterator>(end, store::iterator, entries -> walk(entries, reversed)));
    }
    users.add(
        new User<KeyValueSnapshot>(
            end,
            store::snapshot,
            snapshot -> {
              for (int i = 0; i < KEYS; i += 7) {
                assertThat(snapshot.get(key(i))).isEqualTo(value(key(i)));
              }
              try (KeyValueIterator entries = snapshot.iterator()) {
                entries.seek(key(100));
                for (int i = 0; i < 50; i++) {
                  check(entries);
                  entries.next();
                }
              }
            }));
    return users;
  }
}
