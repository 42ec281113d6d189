package io.siltstone.campaigns.kill;

import io.siltstone.KeyValueBatch;
import io.siltstone.KeyValueStore;
import io.siltstone.Table;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One operation of one thread on the key-value database, determined by seed, thread and number. It
 * has its whole effect or none, whenever the process is killed.
 *
 * @param keys of entries, which begin with the thread's number
 * @param values of these keys, for steps that put something; null deletes
 * @param number of the step, from 0 on
 * @param choice selects variants of a kind
 */
record PairsStep(
    Kind kind,
    int thread,
    int number,
    List<byte[]> keys,
    List<byte @Nullable []> values,
    int choice) {
  /** Number of threads that write to one database. */
  static final int THREADS = 3;

  private static final int MOST_BYTES = 20_000;

  /** The kinds of steps, with their probabilities. */
  enum Kind {
    PUT(300),
    PUT_ASYNC(30),
    DELETE(80),
    PUT_IF_ABSENT(40),
    REPLACE(50),
    BATCH(80),
    BATCH_ASYNC(20),
    BATCH_OF_TABLES(70),
    DELETE_RANGE(30),
    GET(100),
    ITERATE(25),
    HOLD_SNAPSHOT(15),
    FLUSH(20),
    COMPACT(8),
    CHECKPOINT(3),
    WRITE_OWN(60),
    WRITE_OWN_IF(20),
    CREATE_OR_DROP_OWN(12),
    TRUNCATE_OWN(8),
    ALTER_OWN(8),
    SYNC(4);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    static Kind draw(Random random) {
      int left = random.nextInt(Arrays.stream(values()).mapToInt(kind -> kind.weight).sum());
      for (Kind kind : values()) {
        left -= kind.weight;
        if (left < 0) {
          return kind;
        }
      }
      throw new IllegalStateException();
    }
  }

  static PairsStep draw(long seed, int thread, int number) {
    Random random =
        new Random(new SplittableRandom(seed * 31 + thread * 1_000_003L + number).nextLong());
    Kind kind = Kind.draw(random);
    List<byte[]> keys = new ArrayList<>();
    List<byte @Nullable []> values = new ArrayList<>();
    for (int i = kind.name().startsWith("BATCH") ? 1 + random.nextInt(6) : 2; i > 0; i--) {
      byte[] key = key(random, thread);
      if (keys.stream().noneMatch(other -> Arrays.equals(other, key))) {
        keys.add(key);
        boolean deletes = kind.name().startsWith("BATCH") && random.nextInt(4) == 0;
        values.add(deletes ? null : value(random));
      }
    }
    return new PairsStep(kind, thread, number, keys, values, random.nextInt(1 << 20));
  }

  private static byte[] key(Random random, int thread) {
    byte[] key = new byte[random.nextInt(10) == 0 ? 30 : 3];
    key[0] = (byte) thread;
    key[1] = (byte) random.nextInt(12);
    key[2] = (byte) (random.nextInt(20) * 13);
    return key;
  }

  private static byte[] value(Random random) {
    int most =
        switch (random.nextInt(20)) {
          case 0 -> MOST_BYTES / 8;
          case 1, 2, 3 -> 2_000;
          default -> 200;
        };
    byte[] value = new byte[random.nextInt(50) == 0 ? MOST_BYTES / 2 : random.nextInt(most)];
    random.nextBytes(value);
    return value;
  }

  private byte[] key() {
    return keys.get(0);
  }

  private byte[] value() {
    return Objects.requireNonNull(values.get(0));
  }

  /** Returns the lesser or the greater end of the range between two keys. */
  private byte[] end(boolean isLast) {
    byte[] first = keys.get(0);
    byte[] second = keys.get(keys.size() - 1);
    return Arrays.compareUnsigned(first, second) < 0 == isLast ? second : first;
  }

  private byte[] expected(PairsState state) {
    byte[] present = state.entries().get(key());
    return present == null || choice % 3 == 0 ? new byte[] {1} : present;
  }

  /** Applies the step to the model. */
  void apply(PairsState state) {
    switch (kind) {
      case PUT, PUT_ASYNC -> state.entries().put(key(), value());
      case DELETE -> state.entries().remove(key());
      case PUT_IF_ABSENT -> state.entries().putIfAbsent(key(), value());
      case REPLACE -> {
        byte[] expected = expected(state);
        if (Arrays.equals(expected, state.entries().get(key()))) {
          state.entries().put(key(), value());
        }
      }
      case BATCH, BATCH_ASYNC -> applyBatch(state);
      case BATCH_OF_TABLES -> {
        applyBatch(state);
        state.shared().add(number);
      }
      case DELETE_RANGE -> state.entries().subMap(end(false), end(true)).clear();
      case WRITE_OWN -> {
        SortedMap<Integer, String> own = state.own();
        if (own != null) {
          own.put(choice % 50, "w" + number);
        }
      }
      case WRITE_OWN_IF -> {
        SortedMap<Integer, String> own = state.own();
        if (own != null) {
          own.putIfAbsent(choice % 50, "c" + number);
        }
      }
      case CREATE_OR_DROP_OWN -> {
        if (state.own() == null) {
          state.createOwn();
        } else {
          state.dropOwn();
        }
      }
      case TRUNCATE_OWN -> {
        SortedMap<Integer, String> own = state.own();
        if (own != null) {
          own.clear();
        }
      }
      case ALTER_OWN -> {
        if (state.own() != null) {
          state.setExtraColumn(!state.hasExtraColumn());
        }
      }
      case GET, ITERATE, HOLD_SNAPSHOT, FLUSH, COMPACT, CHECKPOINT, SYNC -> {}
    }
  }

  private void applyBatch(PairsState state) {
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        state.entries().remove(keys.get(i));
      } else {
        state.entries().put(keys.get(i), value);
      }
    }
  }

  /**
   * Runs the step on the database, and returns when it is acknowledged.
   *
   * @param before the model before the step
   */
  void run(PairsDatabase database, PairsState before, PairsSnapshots snapshots) throws IOException {
    KeyValueStore store = database.store();
    switch (kind) {
      case PUT -> store.put(key(), value());
      case PUT_ASYNC ->
          store.writeAsync(new KeyValueBatch().put(key(), value())).toCompletableFuture().join();
      case DELETE -> store.delete(key());
      case PUT_IF_ABSENT ->
          require(
              store.putIfAbsent(key(), value()) == !before.entries().containsKey(key()),
              "putIfAbsent");
      case REPLACE -> {
        byte[] expected = expected(before);
        require(
            store.replace(key(), expected, value())
                == Arrays.equals(expected, before.entries().get(key())),
            "replace");
      }
      case BATCH -> store.write(batch());
      case BATCH_ASYNC -> store.writeAsync(batch()).toCompletableFuture().join();
      case BATCH_OF_TABLES -> database.database().write(batchOfTables(database));
      case DELETE_RANGE -> store.deleteRange(end(false), end(true));
      case GET ->
          require(Arrays.equals(store.get(key()), before.entries().get(key())), "get after a put");
      case ITERATE -> database.requireEntries(before, choice % 2 == 0);
      case HOLD_SNAPSHOT -> snapshots.exchange(store, before);
      case FLUSH -> {
        if (choice % 3 == 0) {
          database.database().flush();
        } else {
          store.table().flush();
        }
      }
      case COMPACT -> compact(store.table());
      case CHECKPOINT -> checkpoint(database, before);
      case WRITE_OWN -> {
        Table own = database.own(thread).orElse(null);
        if (own != null) {
          own.write(own.mutation(choice % 50).insert().set("v", "w" + number).build());
        }
      }
      case WRITE_OWN_IF -> {
        Table own = database.own(thread).orElse(null);
        if (own != null) {
          boolean written = database.insertIfMissing(own, choice % 50, "c" + number);
          boolean isMissing = !Objects.requireNonNull(before.own()).containsKey(choice % 50);
          require(written == isMissing, "insert if not exists");
        }
      }
      case CREATE_OR_DROP_OWN -> {
        if (before.own() == null) {
          database.createOwn(thread);
        } else {
          database.dropOwn(thread);
        }
      }
      case TRUNCATE_OWN -> {
        Table own = database.own(thread).orElse(null);
        if (own != null) {
          own.truncate();
        }
      }
      case ALTER_OWN -> {
        if (before.own() != null) {
          database.alterOwn(thread, before.hasExtraColumn() ? "DROP extra" : "ADD extra int");
        }
      }
      case SYNC -> database.database().sync();
    }
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what + " has returned a wrong result at " + this);
    }
  }

  private KeyValueBatch batch() {
    KeyValueBatch batch = new KeyValueBatch();
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        batch.delete(keys.get(i));
      } else {
        batch.put(keys.get(i), value);
      }
    }
    return batch;
  }

  private Batch batchOfTables(PairsDatabase database) {
    Table pairs = database.store().table();
    List<Mutation> mutations = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      mutations.add(
          value == null
              ? pairs.mutation((Object) keys.get(i)).deletePartition().build()
              : pairs.mutation((Object) keys.get(i)).insert().set("value", value).build());
    }
    Table shared = database.shared();
    mutations.add(choice % (mutations.size() + 1), shared.mutation(thread).insert(number).build());
    return new Batch(mutations);
  }

  private void compact(Table table) {
    CompactionRequest.Operation operation =
        choice % 2 == 0
            ? CompactionRequest.Operation.MAJOR
            : CompactionRequest.Operation.GARBAGE_COLLECT;
    var report = table.compact(CompactionRequest.of(operation)).toCompletableFuture();
    if (choice % 3 > 0) {
      report.join();
    }
  }

  private void checkpoint(PairsDatabase database, PairsState before) throws IOException {
    Path copy = database.nextCheckpoint(thread);
    database.database().checkpoint(copy);
    try (PairsDatabase opened = database.openCheckpoint(copy)) {
      String difference = before.difference(opened.state(thread));
      require(difference == null, "a checkpoint: " + difference + ", that");
    }
  }

  @Override
  public String toString() {
    return kind
        + " "
        + keys.stream().map(Arrays::toString).toList()
        + " of thread "
        + thread
        + ", step "
        + number;
  }
}
