package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableOptions;
import io.siltstone.statistics.MemtableStatistics;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many tables that are created at once, reopened and dropped. */
class ManyTablesTest {
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);
  private static final long SEED = Long.getLong("siltstone.seed", 97);
  private static final int TABLES = 100 * SCALE;
  private static final int FEW = 10;

  private static final DatabaseOptions OPTIONS =
      DatabaseOptions.builder().compaction(Compaction.none()).chunkCacheBytes(0).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static String statements(int tables, String condition) {
    return IntStream.range(0, tables)
        .mapToObj(i -> "CREATE TABLE " + condition + "w.t" + i + " (k int PRIMARY KEY, v int)")
        .collect(Collectors.joining("; "));
  }

  private static List<String> names(Database database) {
    return database.tables().stream().map(Table::toString).toList();
  }

  private static List<String> expected(int tables) {
    return IntStream.range(0, tables).mapToObj(i -> "w.t" + i).sorted().toList();
  }

  private static void write(Table table, int value) throws IOException {
    table.write(table.mutation(value).insert().set("v", value).build());
  }

  private static boolean has(Table table, int key) throws IOException {
    return table.get(table.query().partition(key).build()).isPresent();
  }

  @Test
  void tablesAreThereAfterReopeningWithTheirRowsAndGoneWhenDropped() throws IOException {
    Directory disk = new MemoryDirectory();
    try (Database database = Database.open(disk, OPTIONS)) {
      List<Table> created = database.createTables(statements(TABLES, ""));
      assertThat(created).hasSize(TABLES);
      for (int i = 0; i < TABLES; i++) {
        assertThat(created.get(i)).hasToString("w.t" + i);
        write(created.get(i), i);
      }
    }
    for (int reopening = 0; reopening < 2; reopening++) {
      try (Database database = Database.open(disk, OPTIONS)) {
        assertThat(names(database)).isEqualTo(expected(TABLES));
        for (int i = 0; i < TABLES; i++) {
          assertThat(has(database.table("w", "t" + i), i)).isTrue();
        }
      }
    }
    try (Database database = Database.open(disk, OPTIONS)) {
      for (int i = 0; i < TABLES; i++) {
        database.dropTable("w", "t" + i);
      }
      assertThat(database.tables()).isEmpty();
    }
    assertThat(disk.directory("data").directory("w").directories()).isEmpty();
  }

  @Test
  void syncsOfTheLogAndOfTheKeyspaceAreSharedByAllTables() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    try (Database database = Database.open(disk, OPTIONS)) {
      disk.reset();
      var unused = database.createTables(statements(TABLES, ""));
      // The definition and the directory of each table, and a few for all.
      assertThat(disk.count(Operation.SYNC)).isLessThanOrEqualTo(TABLES + 8);
      assertThat(disk.count(Operation.SYNC_DIRECTORY)).isLessThanOrEqualTo(TABLES + 8);
    }
  }

  @Test
  void reopeningAfterACleanCloseSyncsNoTable() throws IOException {
    CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
    try (Database database = Database.open(disk, OPTIONS)) {
      for (Table table : database.createTables(statements(TABLES, ""))) {
        write(table, 1);
      }
    }
    disk.reset();
    Database.open(disk, OPTIONS).close();
    assertThat(disk.count(Operation.SYNC) + disk.count(Operation.SYNC_DIRECTORY))
        .isLessThan(TABLES / 4);
  }

  @Test
  void existingTablesAreReturnedOnlyIfTheStatementAllowsIt() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      write(database.createTable("CREATE TABLE w.t3 (k int PRIMARY KEY, v int)"), 1);
      assertThatThrownBy(() -> database.createTables(statements(FEW, "")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("w.t3");
      assertThat(names(database)).containsExactly("w.t3");
      assertThat(database.createTables(statements(FEW, "IF NOT EXISTS "))).hasSize(FEW);
      assertThat(names(database)).isEqualTo(expected(FEW));
      assertThat(has(database.table("w", "t3"), 1)).isTrue();
      assertThatThrownBy(() -> database.createTables("CREATE TYPE w.u (a int)"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("CREATE TABLE");
    }
  }

  @Test
  void twoTablesOfOneIdAreRefused() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      String id = " WITH id = 01234567-89ab-cdef-0123-456789abcdef; ";
      assertThatThrownBy(
              () ->
                  database.createTables(
                      "CREATE TABLE w.a (k int PRIMARY KEY)"
                          + id
                          + "CREATE TABLE w.b (k int PRIMARY KEY)"
                          + id))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one name or id");
      assertThat(database.tables()).isEmpty();
    }
  }

  @Test
  void storesAreCreatedAtOnceAndFoundAgain() throws IOException {
    DatabaseOptions ordered = OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    List<String> names = IntStream.range(0, FEW).mapToObj(i -> "store" + i).toList();
    TableOptions options = TableOptions.builder().build();
    try (Database database = Database.open(new MemoryDirectory(), ordered)) {
      for (KeyValueStore store : KeyValueStore.createIn(database, "s", names, options)) {
        store.put(new byte[] {1}, new byte[] {2});
        assertThat(store.table().schema().options().gcGraceSeconds()).isZero();
      }
      for (KeyValueStore store : KeyValueStore.createIn(database, "s", names, options)) {
        assertThat(store.get(new byte[] {1})).isEqualTo(new byte[] {2});
      }
    }
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      assertThatThrownBy(() -> KeyValueStore.createIn(database, "s", names, options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("BYTE_ORDERED");
      assertThat(database.tables()).isEmpty();
    }
  }

  @Test
  void aHundredEntriesTakeLittleMoreThanTheyHave() throws IOException {
    DatabaseOptions ordered = OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    try (Database database = Database.open(new MemoryDirectory(), ordered)) {
      List<KeyValueStore> stores =
          KeyValueStore.createIn(database, "s", List.of("a"), KeyValueStore.DEFAULT_TABLE_OPTIONS);
      for (int i = 0; i < 100; i++) {
        stores.get(0).put(("key-" + i).getBytes(StandardCharsets.UTF_8), new byte[100]);
      }
      MemtableStatistics.Memory memory = stores.get(0).table().statistics().memtable().memory();
      // An entry takes 172 bytes with its node and version, and each slab is four times as large
      // as the one before.
      assertThat(memory.offHeapBytes()).isBetween(16_000L, 25_000L);
      assertThat(memory.heapBytes()).isLessThan(4_000L);
    }
  }

  @Test
  void allTablesOrNoneAreThereAfterAFailure() throws IOException {
    for (int call = 1; call <= 4 * FEW; call += 3) {
      MemoryDirectory disk = new MemoryDirectory();
      Fault fault =
          Fault.on(Operation.CREATE, Operation.WRITE, Operation.RENAME)
              .files("schema*")
              .call(call)
              .fails("Too many open files");
      try (Database database = Database.open(new FaultyDirectory(disk, SEED, fault), OPTIONS)) {
        boolean isCreated = true;
        try {
          var unused = database.createTables(statements(FEW, ""));
        } catch (IOException e) {
          isCreated = false;
        }
        assertThat(isCreated).isEqualTo(fault.fired() == 0);
        assertThat(names(database)).isEqualTo(expected(isCreated ? FEW : 0));
        assertThat(database.state()).isEqualTo(DatabaseState.OPEN);
        assertThat(database.createTables(statements(FEW, "IF NOT EXISTS "))).hasSize(FEW);
      }
      try (Database database = Database.open(disk, OPTIONS)) {
        assertThat(names(database)).isEqualTo(expected(FEW));
      }
    }
  }

  @Test
  void eachTableIsCompleteOrAbsentAfterACrashAtAnyOperation() throws IOException {
    for (FileSystemModel model : FileSystemModel.values()) {
      SimulatedDisk whole = new SimulatedDisk(model);
      run(whole, new TreeMap<>());
      long operations = whole.operations();
      for (long point = 1 + SEED % 7;
          point < operations;
          point += SCALE > 1 ? 1 : 1 + operations / 4) {
        SimulatedDisk disk = new SimulatedDisk(model);
        disk.crashAfter(point);
        Map<String, Boolean> known = new TreeMap<>();
        try {
          run(disk, known);
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
          // The power is lost.
        }
        boolean isDeath = (point + SEED) % 3 == 0;
        check(
            isDeath ? disk.processDeath() : disk.powerLoss(SEED + point),
            known,
            model + (isDeath ? ", process died at " : ", power lost at ") + point);
      }
    }
  }

  /** Creates tables, drops some of them, and tells which must be there, and which not. */
  private static void run(Directory disk, Map<String, Boolean> known) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      for (Table table : database.createTables(statements(FEW, ""))) {
        known.put(table.toString(), true);
      }
      for (int i = 0; i < 2; i++) {
        known.remove("w.t" + i);
        database.dropTable("w", "t" + i);
        known.put("w.t" + i, false);
      }
    }
  }

  private static void check(Directory disk, Map<String, Boolean> known, String what)
      throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      List<String> names = names(database);
      known.forEach(
          (name, isThere) -> assertThat(names.contains(name)).as(what + name).isEqualTo(isThere));
      // Nothing is in the way of the others.
      for (Table table : database.createTables(statements(FEW, "IF NOT EXISTS "))) {
        write(table, 1);
      }
      database.flush();
      assertThat(names(database)).as(what).isEqualTo(expected(FEW));
    }
    try (Database database = Database.open(disk, OPTIONS)) {
      for (Table table : database.tables()) {
        assertThat(has(table, 1)).as(what).isTrue();
      }
      assertThat(disk.directory("data").directory("w").directories()).as(what).hasSize(FEW);
    }
  }
}
