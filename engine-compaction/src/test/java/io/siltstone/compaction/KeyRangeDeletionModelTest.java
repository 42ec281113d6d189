package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueBatch;
import io.siltstone.KeyValueIndexedBatch;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueSnapshot;
import io.siltstone.KeyValueStore;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Deletions of ranges of keys against a model: a random history of puts, deletions, batches,
 * flushes, compactions and restarts of a store with a log and one without shows, in each kind of
 * read, the entries of two maps. Repeated with {@code -Dsiltstone.seed=N}, enlarged with {@code
 * -Dsiltstone.scale=N}.
 */
class KeyRangeDeletionModelTest {
  private static final long SEED = Long.getLong("siltstone.seed", 1);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final int POINTS = 6;
  private static final int KEYS = 24;

  // The names of the tables, of which the second one has no log.
  private static final List<String> STORES = List.of("logged", "loose");

  /** A step of a history, on a database. */
  private interface Step {
    void run(Telling telling) throws Exception;
  }

  /** The entries of both stores. */
  private record Model(List<NavigableMap<String, String>> entries) {
    Model() {
      this(List.of(new TreeMap<>(), new TreeMap<>()));
    }

    Model copy() {
      return new Model(entries.stream().<NavigableMap<String, String>>map(TreeMap::new).toList());
    }

    NavigableMap<String, String> of(int store) {
      return entries.get(store);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] bound(@Nullable String text) {
    return text == null ? null : bytes(text);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String key(int number) {
    return "k%02d".formatted(number);
  }

  /** A random history. */
  private static final class History {
    private final Random random;
    private final List<Step> steps = new ArrayList<>();
    // The model before the first step and after each.
    private final List<Model> models = new ArrayList<>();
    private final Model model = new Model();
    private int value;

    History(long seed, int length) {
      random = new Random(seed);
      models.add(model.copy());
      for (int i = 0; i < length; i++) {
        steps.add(step());
        models.add(model.copy());
      }
    }

    private Step step() {
      int store = random.nextInt(2);
      String key = key(random.nextInt(KEYS));
      return switch (random.nextInt(24)) {
        case 0, 1, 2 -> {
          String from = random.nextInt(6) == 0 ? null : key;
          String to = random.nextInt(6) == 0 ? null : end(from);
          remove(store, from, to);
          yield telling -> telling.store(store).deleteRange(bound(from), bound(to));
        }
        case 3 -> {
          model.of(store).remove(key);
          yield telling -> telling.store(store).delete(bytes(key));
        }
        case 4, 5, 6 -> batch();
        case 7, 8 -> indexedBatch();
        case 9, 10 -> telling -> telling.flush(store);
        case 11 -> telling -> telling.compact(store);
        case 12 -> Telling::reopen;
        case 13 -> Telling::hold;
        default -> {
          String put = nextValue();
          model.of(store).put(key, put);
          yield telling -> telling.store(store).put(bytes(key), bytes(put));
        }
      };
    }

    private String nextValue() {
      return "v" + value++;
    }

    private String end(@Nullable String from) {
      int first = from == null ? 0 : Integer.parseInt(from.substring(1));
      return key(first + random.nextInt(8));
    }

    private void remove(int store, @Nullable String from, @Nullable String to) {
      model
          .of(store)
          .keySet()
          .removeIf(
              key ->
                  (from == null || key.compareTo(from) >= 0)
                      && (to == null || key.compareTo(to) < 0));
    }

    /** Returns a batch whose changes count in their order. */
    private Step batch() {
      List<Step> parts = new ArrayList<>();
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        int store = random.nextInt(2);
        String key = key(random.nextInt(KEYS));
        if (random.nextInt(3) == 0) {
          String to = end(key);
          remove(store, key, to);
          parts.add(
              telling -> telling.batch.deleteRange(telling.store(store), bytes(key), bytes(to)));
        } else {
          String put = nextValue();
          model.of(store).put(key, put);
          parts.add(telling -> telling.batch.put(telling.store(store), bytes(key), bytes(put)));
        }
      }
      return telling -> {
        for (Step part : parts) {
          part.run(telling);
        }
        telling.store(0).write(telling.batch);
        telling.batch.clear();
      };
    }

    private Step indexedBatch() {
      String first = key(random.nextInt(KEYS));
      String before = key(random.nextInt(KEYS));
      String to = end(first);
      String put = nextValue();
      String last = nextValue();
      for (int store = 0; store < 2; store++) {
        model.of(store).put(before, put);
        remove(store, first, to);
        model.of(store).put(first, last);
      }
      Model after = model.copy();
      return telling -> {
        try (KeyValueIndexedBatch staged = KeyValueIndexedBatch.of(telling.database())) {
          for (int i = 0; i < 2; i++) {
            KeyValueStore store = telling.store(i);
            staged.put(store, bytes(before), bytes(put));
            staged.deleteRange(store, bytes(first), bytes(to));
            staged.put(store, bytes(first), bytes(last));
            if (telling.isChecked) {
              assertThat(entries(staged.iterator(store))).isEqualTo(after.of(i));
            }
          }
          staged.commit();
        }
      };
    }
  }

  /** A run of a history, as far as it gets. */
  private static final class Telling implements PowerCuts.Case {
    private final History history;
    private final boolean isChecked;
    private final KeyValueBatch batch = new KeyValueBatch();
    private Directory disk = new SimulatedDisk();
    private @Nullable Database database;
    private @Nullable Database reader;
    private @Nullable List<KeyValueSnapshot> held;
    private Model heldModel = new Model();
    private int done;
    // The step up to which the store without a log is certain to be on disk.
    private int flushed;

    Telling(History history, boolean isChecked) {
      this.history = history;
      this.isChecked = isChecked;
    }

    Database database() {
      return Objects.requireNonNull(database);
    }

    KeyValueStore store(int index) {
      return store(database(), index);
    }

    private static KeyValueStore store(Database database, int index) {
      return KeyValueStore.in(database, STORES.get(index), "t");
    }

    void flush(int store) throws IOException {
      store(store).table().flush();
      flushed = store == 1 ? done + 1 : flushed;
    }

    void compact(int store) throws Exception {
      store(store)
          .table()
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get()
          .orThrow();
    }

    void reopen() throws IOException {
      release();
      database().close();
      flushed = done;
      database = open(disk, false);
    }

    /** Takes snapshots that are compared with the model of now until the next ones are taken. */
    void hold() throws IOException {
      if (isChecked) {
        release();
        heldModel = history.models.get(done);
        held = List.of(store(0).snapshot(), store(1).snapshot());
      }
    }

    private void release() throws IOException {
      if (held != null) {
        for (KeyValueSnapshot each : held) {
          each.close();
        }
        held = null;
      }
    }

    private static Database open(Directory disk, boolean isReadOnly) throws IOException {
      return Database.open(
          disk,
          DatabaseOptions.builder()
              .compaction(
                  new CompactionService(
                      CompactionOptions.builder()
                          .bytesPerSecond(0)
                          .compactors(1)
                          .pipelineThreads(0)
                          .subCompactions(1)
                          // An hour later tombstones may be purged.
                          .clock(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))
                          .build()))
              .partitioner(Partitioner.BYTE_ORDERED)
              .readOnly(isReadOnly)
              .memtableBytes(1 << 20)
              .chunkCacheBytes(1 << 20)
              .commitLog(
                  CommitLogOptions.builder()
                      .syncMode(SyncMode.BATCH)
                      .segmentBytes(4096)
                      .bufferBytes(64 << 10)
                      .build())
              .build());
    }

    private void create() throws IOException {
      String merging = isChecked ? "'min_threshold': '2'" : "'enabled': 'false'";
      for (String keyspace : STORES) {
        database()
            .createTable(
                "CREATE TABLE "
                    + keyspace
                    + ".t (key blob PRIMARY KEY, value blob) WITH gc_grace_seconds = 0 AND"
                    + " durable_writes = "
                    + keyspace.equals("logged")
                    + " AND compaction = {'class': 'SizeTieredCompactionStrategy', "
                    + merging
                    + "}");
      }
    }

    @Override
    public void run(Directory on) throws Exception {
      disk = on;
      database = open(on, false);
      try {
        if (database().tables().size() < 2) {
          create();
        }
        for (Step step : history.steps) {
          step.run(this);
          done++;
          if (isChecked) {
            check();
          }
        }
      } finally {
        release();
        if (reader != null) {
          reader.close();
        }
        database().close();
      }
    }

    private void check() throws IOException {
      Model model = history.models.get(done);
      for (int i = 0; i < 2; i++) {
        requireSame(store(i), model.of(i), "store " + i + " after step " + done);
        if (held != null) {
          assertThat(entries(held.get(i).iterator()))
              .as("held by store %d after step %d", i, done)
              .isEqualTo(heldModel.of(i));
        }
      }
      if (done % 5 == 0) {
        reader = reader == null ? open(disk, true) : reader;
        reader.refresh();
        requireSame(store(reader, 0), model.of(0), "a reader after step " + done);
      }
    }

    @Override
    public void check(Directory rebooted) throws Exception {
      try (Database found = open(rebooted, false)) {
        if (found.tables().size() < 2) {
          assertThat(done).isZero();
          return;
        }
        int last = Math.min(done + 1, history.steps.size());
        List<Map<String, String>> shown = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          Map<String, String> entries = entries(store(found, i).iterator());
          List<Map<String, String>> allowed = new ArrayList<>();
          for (Model each : history.models.subList(i == 0 ? done : flushed, last + 1)) {
            allowed.add(each.of(i));
          }
          assertThat(entries).as("store %d after step %d", i, done).isIn(allowed);
          shown.add(entries);
        }
        database = found;
        for (int i = 0; i < 2; i++) {
          found.flush();
          compact(i);
          assertThat(entries(store(i).iterator())).as("compacted").isEqualTo(shown.get(i));
        }
      }
    }
  }

  @Test
  void readsShowTheEntriesOfTheModel() throws Exception {
    for (long seed = SEED; seed < SEED + 2L * SCALE; seed++) {
      try {
        new Telling(new History(seed, 120), true).run(new SimulatedDisk());
      } catch (AssertionError | Exception e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void allOrNothingIsDeletedAfterAPowerLossAtAnyOperation(FileSystemModel model) {
    for (long seed = SEED; seed < SEED + SCALE; seed++) {
      History history = new History(seed, 40);
      int points =
          PowerCuts.on(model, seed)
              .atMost(POINTS * SCALE)
              .atEachOperation(() -> new Telling(history, false));
      assertThat(points).isGreaterThanOrEqualTo(POINTS);
    }
  }

  private static void requireSame(KeyValueStore store, Map<String, String> model, String when)
      throws IOException {
    assertThat(entries(store.iterator())).as(when).isEqualTo(model);
    assertThat(backward(store)).as("backward, %s", when).isEqualTo(List.copyOf(model.keySet()));
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      String key = key(i);
      keys.add(bytes(key));
      byte[] value = store.get(bytes(key));
      assertThat(value == null ? null : text(value))
          .as("%s, %s", key, when)
          .isEqualTo(model.get(key));
    }
    List<byte @Nullable []> values = store.multiGet(keys);
    for (int i = 0; i < KEYS; i++) {
      byte[] value = values.get(i);
      assertThat(value == null ? null : text(value)).as(when).isEqualTo(model.get(key(i)));
    }
  }

  private static NavigableMap<String, String> entries(KeyValueIterator iterator)
      throws IOException {
    NavigableMap<String, String> found = new TreeMap<>();
    try (iterator) {
      for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
        found.put(text(iterator.key()), text(iterator.value()));
      }
    }
    return found;
  }

  private static List<String> backward(KeyValueStore store) throws IOException {
    List<String> keys = new ArrayList<>();
    try (KeyValueIterator iterator = store.iterator()) {
      for (iterator.seekToLast(); iterator.isValid(); iterator.prev()) {
        keys.add(text(iterator.key()));
      }
    }
    Collections.reverse(keys);
    return keys;
  }
}
