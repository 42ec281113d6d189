package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Batches over several stores, and what is found of them after a loss of power at any operation.
 */
class KeyValueBatchPowerLossTest {
  private static final long SEED = Long.getLong("siltstone.seed", 53);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  /** Each write is synced before it returns. */
  private static final DatabaseOptions OPTIONS =
      History.OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();

  private static final int STEPS = 4;
  private static final List<String> LOGGED = List.of("a", "b");
  private static final List<String> UNLOGGED = List.of("c", "d");

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void allStoresHaveTheSameBatches(FileSystemModel model) throws IOException {
    SimulatedDisk prepared = new SimulatedDisk(model);
    create(prepared);
    SimulatedDisk whole = prepared.powerLoss(SEED);
    new Batches().run(whole);
    long operations = whole.operations();
    int every = SCALE > 1 ? 1 : 10;
    for (long point = SEED % every; point <= operations; point += every) {
      SimulatedDisk disk = prepared.powerLoss(SEED);
      disk.crashAfter(point);
      Batches batches = new Batches();
      try {
        batches.run(disk);
      } catch (IOException e) {
        assertThat(disk.isLost()).as("%s", e).isTrue();
      }
      try {
        batches.check(disk.powerLoss(SEED + point));
      } catch (IOException | AssertionError e) {
        throw new AssertionError(
            "seed " + SEED + ", operation " + point + ", " + disk.lastOperations(), e);
      }
    }
    assertThat(operations).isGreaterThan(50);
  }

  private static void create(Directory disk) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      for (String name : LOGGED) {
        database.createTable("CREATE TABLE w." + name + " (key blob PRIMARY KEY, value blob)");
      }
      for (String name : UNLOGGED) {
        database.createTable(
            "CREATE TABLE loose."
                + name
                + " (key blob PRIMARY KEY, value blob) WITH durable_writes = false");
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Batches over two stores with a log and two without. Every third deletes all keys and puts one
   * again.
   */
  private static final class Batches {
    private int committed;
    private int flushed;

    private static KeyValueStore store(Database database, String name) {
      return KeyValueStore.in(database, LOGGED.contains(name) ? "w" : "loose", name);
    }

    /** Returns what all stores have after a step. */
    private static Map<String, String> after(int step) {
      Map<String, String> entries = new TreeMap<>();
      for (int i = 1; i <= step; i++) {
        if (i % 3 == 0) {
          entries.clear();
        }
        entries.put("k" + i % 4, "v" + i);
      }
      return entries;
    }

    private static void write(Database database, int step) throws IOException {
      List<String> names = new ArrayList<>(LOGGED);
      names.addAll(UNLOGGED);
      if (step % 3 == 1) {
        KeyValueBatch batch = new KeyValueBatch();
        for (String name : names) {
          batch.put(store(database, name), bytes("k" + step % 4), bytes("v" + step));
        }
        store(database, "b").write(batch);
        return;
      }
      try (KeyValueIndexedBatch batch = KeyValueIndexedBatch.of(database)) {
        for (String name : names) {
          KeyValueStore store = store(database, name);
          if (step % 3 == 0) {
            batch.deleteRange(store, null, null);
          }
          batch.put(store, bytes("k" + step % 4), bytes("v" + step));
        }
        batch.commit();
      }
    }

    void run(Directory disk) throws IOException {
      try (Database database = Database.open(disk, OPTIONS)) {
        for (int step = 1; step <= STEPS; step++) {
          write(database, step);
          committed = step;
          if (step == 2) {
            store(database, "a").table().flush();
          } else if (step == 4) {
            store(database, "c").table().flush();
            flushed = step;
          }
        }
      }
      flushed = STEPS;
    }

    void check(Directory rebooted) throws IOException {
      try (Database database = Database.open(rebooted, OPTIONS)) {
        int logged = stepOf(database, LOGGED);
        assertThat(logged).isBetween(committed, STEPS);
        assertThat(stepOf(database, UNLOGGED)).isBetween(flushed, logged);
      }
    }

    private static int stepOf(Database database, List<String> names) throws IOException {
      Map<String, String> first = entries(store(database, names.get(0)));
      for (String name : names) {
        assertThat(entries(store(database, name))).isEqualTo(first);
      }
      for (int step = 0; step <= STEPS; step++) {
        if (after(step).equals(first)) {
          return step;
        }
      }
      throw new AssertionError(names + " have " + first + ", which is of no step");
    }

    private static Map<String, String> entries(KeyValueStore store) throws IOException {
      Map<String, String> found = new TreeMap<>();
      try (KeyValueIterator entries = store.iterator()) {
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
          found.put(
              new String(entries.key(), StandardCharsets.UTF_8),
              new String(entries.value(), StandardCharsets.UTF_8));
        }
      }
      return found;
    }
  }
}
