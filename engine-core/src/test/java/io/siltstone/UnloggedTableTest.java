package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.model.Contents;
import io.siltstone.mutation.Batch;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.TableOptions;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.SimulatedDisk;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tables that are not written to the commit log: durable by a flush only. */
class UnloggedTableTest {
  private static final long SEED = Long.getLong("siltstone.seed", 47);
  private static final DatabaseOptions OPTIONS = History.OPTIONS;
  private static final DatabaseOptions READ_ONLY = OPTIONS.toBuilder().readOnly(true).build();

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private static Table create(Database database, String name) throws IOException {
    return database.createTable(
        "CREATE TABLE w." + name + " (k int PRIMARY KEY, v text) WITH durable_writes = false");
  }

  private static void write(Table table, int key, String value) throws IOException {
    table.write(table.mutation(key).insert().set("v", value).build());
  }

  private static List<String> rows(Directory disk, String name) throws IOException {
    try (Database database = Database.open(disk, OPTIONS)) {
      return Contents.of(database.table("w", name));
    }
  }

  /** Returns the disk after the process has died. */
  private static SimulatedDisk kill(SimulatedDisk disk, Database database) {
    SimulatedDisk found = disk.processDeath();
    try {
      database.close();
    } catch (IOException e) {
      // A database that still has something to write cannot close after the death of its process.
      assertThat(disk.isLost()).as("%s", e).isTrue();
    }
    return found;
  }

  @Test
  void onlyWhatWasFlushedIsThereAfterACrash() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table table = create(database, "t");
    write(table, 1, "flushed");
    table.flush();
    write(table, 2, "lost");
    database.sync();
    assertThat(Contents.of(table)).containsExactly("1 flushed", "2 lost");
    try (Database reader = Database.open(disk, READ_ONLY)) {
      assertThat(Contents.of(reader.table("w", "t"))).containsExactly("1 flushed");
    }
    assertThat(rows(kill(disk, database), "t")).containsExactly("1 flushed");
  }

  @Test
  void closingFlushes() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(leaks.watch(disk), OPTIONS)) {
      write(create(database, "t"), 1, "x");
    }
    assertThat(rows(disk, "t")).containsExactly("1 x");
  }

  @Test
  void theLogHasNothingOfTheTable() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(leaks.watch(disk), OPTIONS)) {
      Table table = create(database, "t");
      long before = database.statistics().commitLogBytes();
      for (int i = 0; i < 500; i++) {
        write(table, i, "x".repeat(100));
      }
      assertThat(database.statistics().commitLogBytes()).isEqualTo(before);
      // The SSTable claims no part of the log.
      table.flush();
      assertThat(table.writeIf(table.mutation(3).insert().set("v", "y").build(), List.of()))
          .isTrue();
      assertThat(table.statistics().writes().mutations()).isEqualTo(501);
    }
  }

  @Test
  void aBatchOfBothKindsIsLoggedForThoseThatAre() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table unlogged = create(database, "t");
    Table logged = database.createTable("CREATE TABLE w.logged (k int PRIMARY KEY, v text)");
    database.write(
        Batch.of(
            unlogged.mutation(1).insert().set("v", "x").build(),
            logged.mutation(1).insert().set("v", "x").build()));
    SimulatedDisk found = kill(disk, database);
    assertThat(rows(found, "logged")).containsExactly("1 x");
    assertThat(rows(found, "t")).isEmpty();
  }

  @Test
  void theLogKeepsNoSegmentForTheTable() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    try (Database database = Database.open(leaks.watch(disk), OPTIONS)) {
      Table unlogged = create(database, "t");
      Table logged = database.createTable("CREATE TABLE w.logged (k int PRIMARY KEY, v text)");
      write(unlogged, 1, "in memory");
      unlogged.truncate();
      write(unlogged, 2, "in memory");
      for (int i = 0; i < 400; i++) {
        write(logged, i, "x".repeat(100));
      }
      logged.flush();
      // Segments have 4 KiB here: all but the last two are deleted.
      assertThat(database.statistics().commitLogBytes()).isLessThan(3 * 4096);
      assertThat(Contents.of(unlogged)).containsExactly("2 in memory");
    }
  }

  @Test
  void whatWasTruncatedStaysAway() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table table = create(database, "t");
    write(table, 1, "old");
    table.flush();
    write(table, 2, "old");
    table.truncate();
    write(table, 3, "new");
    table.flush();
    write(table, 4, "lost");
    SimulatedDisk found = kill(disk, database);
    for (int i = 0; i < 2; i++) {
      assertThat(rows(found, "t")).containsExactly("3 new");
    }
  }

  @Test
  void aTableThatIsLoggedFromNowOnLosesNothing() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table table = create(database, "t");
    write(table, 1, "before");
    database.alterTable("w", "t", "ALTER TABLE w.t WITH durable_writes = true");
    write(table, 2, "after");
    assertThat(rows(kill(disk, database), "t")).containsExactly("1 before", "2 after");
  }

  @Test
  void aTableThatIsNotLoggedAnyMoreKeepsWhatWasLogged() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table table = database.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
    write(table, 1, "before");
    database.alterTable("w", "t", "ALTER TABLE w.t WITH durable_writes = false");
    write(table, 2, "lost");
    SimulatedDisk found = kill(disk, database);
    assertThat(rows(found, "t")).containsExactly("1 before");
    try (Database again = Database.open(found, OPTIONS)) {
      assertThat(again.table("w", "t").schema().options().durableWrites()).isFalse();
    }
  }

  @Test
  void pressureFlushesTheWholeKeyspace() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, OPTIONS);
    Table small = create(database, "small");
    Table large = create(database, "large");
    write(small, 1, "x");
    for (int i = 0; large.sstables().isEmpty(); i++) {
      write(large, i, "x".repeat(1500));
    }
    assertThat(small.sstables()).hasSize(1);
    SimulatedDisk found = kill(disk, database);
    assertThat(rows(found, "small")).containsExactly("1 x");
  }

  @Test
  void aFlushLeavesOtherKeyspacesInMemory() throws IOException {
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      Table one = create(database, "one");
      Table two = create(database, "two");
      Table other =
          database.createTable(
              "CREATE TABLE v.other (k int PRIMARY KEY, v text) WITH durable_writes = false");
      for (Table each : List.of(one, two, other)) {
        write(each, 1, "x");
      }
      one.flush();
      assertThat(two.sstables()).hasSize(1);
      assertThat(other.sstables()).isEmpty();
    }
  }

  @Test
  void aCheckpointHasWhatIsInMemory() throws IOException {
    MemoryDirectory disk = new MemoryDirectory();
    MemoryDirectory copy = new MemoryDirectory();
    try (Database database = Database.open(leaks.watch(disk), OPTIONS)) {
      write(create(database, "t"), 1, "x");
      write(create(database, "u"), 2, "y");
      database.checkpoint(copy);
    }
    assertThat(rows(copy, "t")).containsExactly("1 x");
    assertThat(rows(copy, "u")).containsExactly("2 y");
  }

  @Test
  void aBackupHasWhatIsInMemory() throws IOException {
    MemoryDirectory backups = new MemoryDirectory();
    MemoryDirectory copy = new MemoryDirectory();
    try (Database database = Database.open(new MemoryDirectory(), OPTIONS)) {
      Table logged = database.createTable("CREATE TABLE w.l (k int PRIMARY KEY, v text)");
      Table t = create(database, "t");
      Table u = create(database, "u");
      write(t, 1, "x");
      database.flush();
      database.write(
          Batch.of(
              logged.mutation(3).insert().set("v", "z").build(),
              t.mutation(3).insert().set("v", "z").build(),
              u.mutation(2).insert().set("v", "y").build()));
      long id = Backups.in(backups).create(database).id();
      write(t, 4, "later");
      Backups.in(backups).restore(id, copy);
    }
    assertThat(rows(copy, "l")).containsExactly("3 z");
    assertThat(rows(copy, "t")).containsExactlyInAnyOrder("1 x", "3 z");
    assertThat(rows(copy, "u")).containsExactly("2 y");
  }

  @Test
  void aStoreCanBeWithoutALog() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    TableOptions options =
        KeyValueStore.DEFAULT_TABLE_OPTIONS.toBuilder().durableWrites(false).build();
    KeyValueStore store = KeyValueStore.open(disk, OPTIONS, options);
    store.put(new byte[] {1}, new byte[] {1});
    store.database().flush();
    store.put(new byte[] {2}, new byte[] {2});
    store.write(new KeyValueBatch().put(new byte[] {3}, new byte[] {3}).delete(new byte[] {1}));
    assertThat(store.putIfAbsent(new byte[] {3}, new byte[] {4})).isFalse();
    SimulatedDisk found = disk.powerLoss(SEED);
    assertThatThrownBy(store::close).isInstanceOf(IOException.class);
    try (KeyValueStore again = KeyValueStore.open(found, OPTIONS)) {
      assertThat(again.get(new byte[] {1})).containsExactly(1);
      assertThat(again.get(new byte[] {2})).isNull();
      assertThat(again.table().schema().options().durableWrites()).isFalse();
    }
  }

  @Test
  void timestampsContinueAfterFlushedChangesThoughTheClockIsSetBack() throws IOException {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    AtomicReference<Instant> now = new AtomicReference<>(noon);
    DatabaseOptions options = OPTIONS.toBuilder().clock(now::get).build();
    SimulatedDisk disk = new SimulatedDisk();
    Database database = Database.open(disk, options);
    Table table = create(database, "t");
    now.set(noon.plusSeconds(400));
    write(table, 1, "first");
    table.flush();
    SimulatedDisk found = kill(disk, database);
    now.set(noon.plusSeconds(100));
    try (Database again = Database.open(found, options)) {
      write(again.table("w", "t"), 1, "second");
      assertThat(Contents.of(again.table("w", "t"))).containsExactly("1 second");
    }
  }

  @Test
  void theOptionIsKeptAsAnExtensionThatCassandraKeepsToo() throws IOException {
    TableOptions options = TableOptions.builder().durableWrites(false).build();
    assertThat(options.toString()).contains("extensions={'siltstone.durable_writes': 0x00}");
    assertThat(options.toString()).doesNotContain("durable_writes=");
    assertThat(
            TableOptions.builder()
                .extensions(Map.of("siltstone.durable_writes", "00", "other", "ff"))
                .build()
                .extensions())
        .containsOnlyKeys("other");
    assertThatThrownBy(
            () ->
                TableOptions.builder().extensions(Map.of("siltstone.durable_writes", "02")).build())
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("siltstone.durable_writes = 0x02, allowed 0x00 for false, 0x01");
    assertThat(options).isNotEqualTo(TableOptions.DEFAULT);
  }
}
