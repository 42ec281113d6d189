package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Compaction;
import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.DatabaseStatistics;
import io.siltstone.KeyValueStore;
import io.siltstone.OfflineTable;
import io.siltstone.SharedResources;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.format.FormatVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/tuning.md. */
class TuningTest {
  @TempDir private Path directory;

  @Test
  void statistics() throws Exception {
    CompactionService compaction = new CompactionService();
    DatabaseOptions options = DatabaseOptions.builder().compaction(compaction).build();
    try (Database db = Database.open(directory, options)) {
      Table table = db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < 100; k++) {
        table.write(table.mutation(k).insert().set("v", "value " + k).build());
      }
      table.flush();
      for (int k = 0; k < 200; k++) {
        table.get(table.query().partition(k).build());
      }

      TableStatistics now = table.statistics();
      System.out.println("SSTables per read " + now.reads().sstables());
      System.out.println("microseconds per read " + now.reads().readMicros());
      System.out.println("chunks from the disk per read " + now.reads().chunks());
      System.out.println(
          "ratio " + (double) now.sstables().onDiskBytes() / now.sstables().dataBytes());
      System.out.println("off-heap for filters and offsets " + now.sstables().offHeapBytes());
      System.out.println("write amplification " + now.traffic().writeAmplification());
      System.out.println("compaction is behind by " + now.compaction().debtBytes());

      DatabaseStatistics all = db.statistics();
      System.out.println("chunk cache " + all.chunkCache().hitRate());
      System.out.println("off-heap " + all.offHeap().bytesByKind());

      assertEquals(1, now.sstables().count());
      assertTrue(now.reads().sstables().count() > 0);
      assertTrue(all.chunkCache().hitRate() > 0.5);

      compaction.bytesPerSecond(100 << 20); // of all jobs together, at once
      compaction.pause();
      compaction.resume();
      assertEquals(100 << 20, compaction.bytesPerSecond());

      db.alterTable(
          "app",
          "t",
          "ALTER TABLE app.t WITH compression ="
              + " {'class': 'LZ4Compressor', 'chunk_length_in_kb': '4'}");
      table
          .compact(CompactionRequest.of(CompactionRequest.Operation.RECOMPRESS))
          .toCompletableFuture()
          .get()
          .orThrow();

      assertEquals(4096, table.schema().options().compression().chunkLengthBytes());
    }
  }

  @Test
  void compressionDictionary() throws Exception {
    DatabaseOptions options = DatabaseOptions.builder().formatVersion(FormatVersion.PA).build();
    try (Database db = Database.open(directory, options)) {
      Table table =
          db.createTable(
              "CREATE TABLE app.t (k int PRIMARY KEY, v text) WITH compression ="
                  + " {'class': 'ZstdDictionaryCompressor', 'chunk_length_in_kb': '4'}");
      for (int k = 0; k < 4000; k++) {
        String row = "{\"reading\": " + k * 7919 + ", \"station\": \"north\", \"good\": true}";
        table.write(table.mutation(k).insert().set("v", row).build());
      }
      table.flush();

      CompactionReport report =
          table
              .compact(CompactionRequest.of(CompactionRequest.Operation.TRAIN_DICTIONARY))
              .toCompletableFuture()
              .get()
              .orThrow();
      report.remarks().forEach(System.out::println);

      assertTrue(report.remarks().get(0).startsWith("compression dictionary "));
    }
  }

  @Test
  void manyTables() throws Exception {
    DatabaseOptions ordered =
        DatabaseOptions.builder().partitioner(Partitioner.BYTE_ORDERED).build();
    try (Database db = Database.open(directory.resolve("tables"));
        Database keyed = Database.open(directory.resolve("stores"), ordered)) {
      List<Table> tables =
          db.createTables(
              """
              CREATE TABLE IF NOT EXISTS app.users (id uuid PRIMARY KEY, name text);
              CREATE TABLE IF NOT EXISTS app.orders (id uuid PRIMARY KEY, total decimal);
              """);
      List<KeyValueStore> stores =
          KeyValueStore.createIn(
              keyed, "partitions", List.of("p0", "p1", "p2"), KeyValueStore.DEFAULT_TABLE_OPTIONS);

      assertEquals(2, tables.size());
      assertEquals(3, stores.size());
    }
  }

  @Test
  void severalDatabases() throws Exception {
    try (SharedResources shared =
        SharedResources.builder().memoryBytes(512 << 20).memtableBytes(128 << 20).build()) {
      DatabaseOptions tenant = DatabaseOptions.builder().sharedResources(shared).build();
      try (Database first = Database.open(directory.resolve("first"), tenant);
          Database second = Database.open(directory.resolve("second"), tenant)) {
        System.out.println(shared.databases() + " use " + shared.memoryInUse());
        System.out.println("of this the first " + first.statistics().offHeap().bytesByKind());
        System.out.println("the second has " + second.tables());
      }
    } // closed after its databases
    assertTrue(Files.isDirectory(directory.resolve("second")));
  }

  @Test
  void offlineTablesShareMemory() throws Exception {
    try (Database db = Database.open(directory, DatabaseOptions.DEFAULT)) {
      db.createTable("CREATE TABLE app.t (k int PRIMARY KEY, v text)");
      db.createTable("CREATE TABLE app.u (k int PRIMARY KEY, v text)");
    }
    try (SharedResources shared =
        SharedResources.builder().memoryBytes(300 << 20).memtableBytes(1 << 20).build()) {
      List<Path> tables;
      try (Stream<Path> all = Files.list(directory.resolve("data/app"))) {
        tables = all.sorted().toList();
      }
      DatabaseOptions reading =
          DatabaseOptions.builder()
              .readOnly(true)
              .compaction(Compaction.none())
              .sharedResources(shared)
              .build();
      try (OfflineTable one = OfflineTable.open(tables.get(0), null, null, reading);
          OfflineTable other = OfflineTable.open(tables.get(1), null, null, reading)) {
        assertEquals("t", one.id().name());
        assertEquals("u", other.id().name());
      }
    }
  }
}
