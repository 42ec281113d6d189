package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.Table;
import io.siltstone.event.EngineListener;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.mutation.Batch;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/operations.md. */
class OperationsTest {
  @TempDir private Path directory;

  private static final String TABLE = "CREATE TABLE app.t (k int PRIMARY KEY, v text)";

  private Path data() {
    return directory.resolve("db");
  }

  private static void fill(Database db, int from, int to) throws IOException {
    Table table = db.table("app", "t");
    for (int k = from; k < to; k++) {
      table.write(table.mutation(k).insert().set("v", "value " + k).build());
    }
  }

  private static long count(Table table) throws IOException {
    Query all = table.query().build();
    try (LiveRows rows = table.read(all)) {
      rows.forEachRemaining(row -> {});
      return rows.rows();
    }
  }

  private static Path tableDirectory(Path database) throws IOException {
    try (Stream<Path> tables = Files.list(database.resolve("data").resolve("app"))) {
      return tables.findFirst().orElseThrow();
    }
  }

  @Test
  void tablesWithoutALog() throws Exception {
    Path directory = data();
    DatabaseOptions options = DatabaseOptions.DEFAULT;
    ByteBuffer key = ByteBuffer.wrap(new byte[] {1});
    ByteBuffer value = ByteBuffer.wrap(new byte[] {2});
    Database db = Database.open(directory, options);
    try (db) {
      db.createTable(
          """
          CREATE TABLE task_0.counts (key blob PRIMARY KEY, value blob)
              WITH durable_writes = false
          """);
      db.createTable(
          """
          CREATE TABLE task_0.offsets (partition int PRIMARY KEY, position bigint)
              WITH durable_writes = false
          """);
      Table counts = db.table("task_0", "counts");
      Table offsets = db.table("task_0", "offsets");
      db.write(
          Batch.of(
              counts.mutation(key).insert().set("value", value).build(),
              offsets.mutation(0).insert().set("position", 4711L).build()));
      offsets.flush(); // flushes counts, too
    }
    try (Database again = Database.open(directory, options)) {
      assertEquals(1, count(again.table("task_0", "offsets")));
      assertEquals(1, again.table("task_0", "counts").sstables().size());
    }
  }

  private final List<Long> shown = new ArrayList<>();
  private Database writer;

  /** Notes how many rows there are, and lets the writer go on. */
  private void show(LiveRows rows) throws IOException {
    try (rows) {
      shown.add(rows.stream().count());
    }
    fill(writer, 100, 200);
  }

  @Test
  void readersBesideTheWriter() throws Exception {
    Path directory = data();
    try (Database db = Database.open(directory)) {
      writer = db;
      writer.createTable(TABLE);
      fill(writer, 0, 100);
      DatabaseOptions readOnly =
          DatabaseOptions.builder().readOnly(true).memoryBytes(8 << 20).build();
      try (Database reader = Database.open(directory, readOnly)) {
        Table table = reader.table("app", "t");
        show(table.read(table.query().build()));
        reader.refresh(); // from now on, what the writer has written until here
        show(table.read(table.query().build()));
      }
    }
    assertEquals(List.of(100L, 200L), shown);
  }

  @Test
  void checkpointAndRestore() throws Exception {
    Path backup = directory.resolve("backup");
    try (Database db = Database.open(data())) {
      db.createTable(TABLE);
      fill(db, 0, 100);
      db.checkpoint(backup);
      fill(db, 100, 200);
    }

    DatabaseOptions readOnly = DatabaseOptions.builder().readOnly(true).build();
    try (Database copy = Database.open(backup, readOnly)) {
      assertEquals(100, count(copy.table("app", "t")));
    }
    try (Database restored = Database.open(backup)) {
      fill(restored, 100, 101);
      assertEquals(101, count(restored.table("app", "t")));
    }
    try (Database db = Database.open(data())) {
      assertEquals(200, count(db.table("app", "t")));
    }
  }

  @Test
  void takesInFilesOfElsewhere() throws Exception {
    Path backup = directory.resolve("backup");
    try (Database db = Database.open(data())) {
      db.createTable(TABLE);
      fill(db, 0, 100);
      db.checkpoint(backup);
    }
    Path files = tableDirectory(backup);

    try (Database db = Database.open(directory.resolve("new"))) {
      Table table = db.createTable(TABLE);
      List<Descriptor> taken = table.importTables(files);
      assertEquals(1, taken.size());
      assertEquals(100, count(table));
    }

    try (Database one = Database.open(files, DatabaseOptions.builder().readOnly(true).build())) {
      Table table = one.tables().get(0);
      assertEquals(100, count(table));
    }
  }

  @Test
  void compactsADirectoryThatNobodyHasOpen() throws Exception {
    Path backup = directory.resolve("backup");
    try (Database db = Database.open(data())) {
      db.createTable(TABLE);
      fill(db, 0, 100);
      db.flush();
      fill(db, 50, 150);
      db.checkpoint(backup);
    }
    Path files = tableDirectory(backup);

    try (OfflineTable table = OfflineTable.open(files, null, null, DatabaseOptions.DEFAULT)) {
      CompactionReport report =
          table
              .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
              .toCompletableFuture()
              .get()
              .orThrow();
      report.remarks().forEach(System.out::println);
      assertEquals(1, report.completed().size());
      assertEquals(1, table.sstables().size());
    }
  }

  @Test
  void compactsTheSSTablesThatAProgramChooses() throws Exception {
    DatabaseOptions options = DatabaseOptions.builder().compaction(Compaction.none()).build();
    try (Database db = Database.open(data(), options)) {
      db.createTable(TABLE);
      fill(db, 0, 100);
      db.flush();
      fill(db, 100, 200);
      db.flush();
      assertEquals(2, db.table("app", "t").sstables().size());
    }
    try (OfflineTable table =
        OfflineTable.open(tableDirectory(data()), null, null, DatabaseOptions.DEFAULT)) {
      Set<Descriptor> small =
          table.sstables().stream()
              .filter(each -> each.onDiskBytes() < 50 << 20)
              .map(LiveSSTable::descriptor)
              .collect(Collectors.toSet());
      CompactionRequest request =
          CompactionRequest.of(CompactionRequest.Operation.USER_DEFINED).withTables(small);
      table.compact(request).toCompletableFuture().get().orThrow();
      assertEquals(List.of(200L), table.sstables().stream().map(LiveSSTable::rows).toList());
    }
  }

  @Test
  void savesWhatCanBeSaved() throws Exception {
    try (Database db = Database.open(data())) {
      db.createTable(TABLE);
      fill(db, 0, 100);
      db.flush();
      fill(db, 100, 200);
      db.flush();
    }
    Path statistics;
    try (Stream<Path> files = Files.list(tableDirectory(data()))) {
      statistics =
          files
              .filter(file -> file.toString().endsWith("-Statistics.db"))
              .sorted()
              .findFirst()
              .get();
    }
    Files.write(statistics, new byte[] {1, 2, 3});
    IOException damaged = assertThrows(IOException.class, () -> Database.open(data()));
    assertTrue(damaged.getMessage().contains(statistics.getFileName().toString()));
    Queue<String> told = new ConcurrentLinkedQueue<>();

    EngineListener listener =
        new EngineListener() {
          @Override
          public void corruptionFound(CorruptionFound event) {
            told.add(event.path() + ": " + event.cause().getMessage());
          }
        };
    DatabaseOptions lenient = DatabaseOptions.builder().lenient(true).listener(listener).build();
    try (Database db = Database.open(data(), lenient)) {
      // What the commit log still has of the SSTable is replayed.
      long rows = count(db.table("app", "t"));
      assertTrue(rows == 100 || rows == 200, rows + " rows");
    }

    assertEquals(1, told.size());
  }
}
