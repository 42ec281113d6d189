package io.siltstone.campaigns.kill;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueStore;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compaction.RandomStrategies;
import io.siltstone.mutation.Condition;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A key-value store to which several threads write, each with keys that begin with its number. In
 * addition there are a table that all threads share, so that batches write to two tables, and a
 * table of each thread that is created and dropped. Compaction runs concurrently. Safe for use by
 * any number of threads.
 */
final class PairsDatabase implements Closeable {
  private static final String KEYSPACE = "w";
  private static final String SHARED = "shared";

  private final KeyValueStore store;
  private final Path checkpoints;
  private final String incarnation;
  private final DatabaseOptions options;
  private final AtomicInteger checkpoint = new AtomicInteger();

  private PairsDatabase(
      KeyValueStore store, Path checkpoints, String incarnation, DatabaseOptions options) {
    this.store = store;
    this.checkpoints = checkpoints;
    this.incarnation = incarnation;
    this.options = options;
  }

  /** Opens the database of a life; for writing, with the tables that always exist. */
  static PairsDatabase open(DatabaseLife life, String incarnation, boolean isReadOnly)
      throws IOException {
    DatabaseOptions options = options(life, isReadOnly);
    KeyValueStore store = KeyValueStore.open(life.directory().resolve("pairs"), options);
    try {
      if (!isReadOnly) {
        Random random = new Random(life.seed() + incarnation.hashCode());
        store
            .database()
            .createTable(
                "CREATE TABLE IF NOT EXISTS w.shared (thread int, n int, PRIMARY KEY (thread, n))");
        store
            .database()
            .alterTable(
                KeyValueStore.KEYSPACE,
                KeyValueStore.TABLE,
                "ALTER TABLE kv.pairs WITH " + RandomStrategies.draw(random));
      }
      return new PairsDatabase(store, life.directory(), incarnation, options);
    } catch (Throwable e) {
      try {
        store.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static DatabaseOptions options(DatabaseLife life, boolean isReadOnly) {
    Random random = new Random(life.seed());
    int segmentBytes = random.nextBoolean() ? 128 << 10 : 1 << 20;
    return DatabaseOptions.builder()
        .compaction(Compaction.found())
        .memoryBytes(64 << 20)
        .memtableBytes((long) (1 + random.nextInt(3)) << 20)
        .chunkCacheBytes(random.nextBoolean() ? 0 : 1 << 20)
        .readOnly(isReadOnly)
        .commitLog(
            CommitLogOptions.builder()
                .syncMode(life.mode())
                // The default, or so short that there is a sync between most writes.
                .period(life.isBusy() ? Duration.ofMillis(3) : CommitLogOptions.DEFAULT_PERIOD)
                .groupWindow(Duration.ofMillis(1))
                .segmentBytes(segmentBytes)
                .bufferBytes(128 << 10)
                .build())
        .build();
  }

  Database database() {
    return store.database();
  }

  KeyValueStore store() {
    return store;
  }

  Table shared() {
    return database().table(KEYSPACE, SHARED);
  }

  Optional<Table> own(int thread) {
    return database().findTable(KEYSPACE, "own" + thread);
  }

  void createOwn(int thread) throws IOException {
    database().createTable("CREATE TABLE w.own" + thread + " (k int PRIMARY KEY, v text)");
  }

  void dropOwn(int thread) throws IOException {
    database().dropTable(KEYSPACE, "own" + thread);
  }

  void alterOwn(int thread, String change) throws IOException {
    String name = "own" + thread;
    database().alterTable(KEYSPACE, name, "ALTER TABLE w." + name + " " + change);
  }

  boolean insertIfMissing(Table own, int key, String value) throws IOException {
    return own.writeIf(
        own.mutation(key).insert().set("v", value).build(), List.of(), Condition.notExists());
  }

  /** Returns a directory that no other checkpoint has used. */
  Path nextCheckpoint(int thread) {
    return checkpoints.resolve(
        "checkpoint-" + incarnation + "-" + thread + "-" + checkpoint.incrementAndGet());
  }

  /** Opens a checkpoint. */
  PairsDatabase openCheckpoint(Path copy) throws IOException {
    return new PairsDatabase(KeyValueStore.open(copy, options), checkpoints, incarnation, options);
  }

  /** Fails unless an iterator, of the store or of a snapshot, returns a thread's entries. */
  void requireEntries(PairsState expected, boolean inSnapshot) throws IOException {
    if (expected.entries().isEmpty()) {
      return;
    }
    byte[] prefix = {expected.entries().firstKey()[0]};
    if (inSnapshot) {
      try (var snapshot = store.snapshot();
          KeyValueIterator entries = snapshot.iteratorOfPrefix(prefix)) {
        PairsSnapshots.requireEntries(entries, expected.entries());
      }
    } else {
      try (KeyValueIterator entries = store.iteratorOfPrefix(prefix)) {
        PairsSnapshots.requireEntries(entries, expected.entries());
      }
    }
  }

  /** Reads everything that a thread has written. */
  PairsState state(int thread) throws IOException {
    PairsState state = new PairsState();
    try (KeyValueIterator entries = store.iteratorOfPrefix(new byte[] {(byte) thread})) {
      for (entries.seekToFirst(); entries.isValid(); entries.next()) {
        state.entries().put(entries.key(), entries.value());
      }
    }
    Optional<Table> shared = database().findTable(KEYSPACE, SHARED);
    if (shared.isPresent()) {
      try (LiveRows rows = shared.get().read(shared.get().query().partition(thread).build())) {
        while (rows.hasNext()) {
          state.shared().add(rows.next().getInt("n"));
        }
      }
    }
    Optional<Table> own = own(thread);
    if (own.isPresent()) {
      state.createOwn();
      state.setExtraColumn(own.get().schema().column("extra").isPresent());
      SortedMap<Integer, String> into = state.own();
      try (LiveRows rows = own.get().read(own.get().query().build())) {
        while (into != null && rows.hasNext()) {
          Row row = rows.next();
          into.put(row.getInt("k"), String.valueOf(row.getString("v")));
        }
      }
    }
    return state;
  }

  /** Fails if there is an entry of no thread. */
  void requireNothingElse() throws IOException {
    try (KeyValueIterator entries = store.iterator(new byte[] {(byte) PairsStep.THREADS}, null)) {
      entries.seekToFirst();
      if (entries.isValid()) {
        throw new AssertionError("an entry that was never put: " + entries.key()[0]);
      }
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
