package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueIterator;
import io.siltstone.KeyValueSnapshot;
import io.siltstone.KeyValueStore;
import io.siltstone.OfflineTable;
import io.siltstone.Table;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionPlan;
import io.siltstone.compaction.CompactionService;
import io.siltstone.compaction.RunningCompaction;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of README.md. */
class ReadmeTest {
  private final List<Object> visited = new ArrayList<>();

  private void visit(Object key, Object value) {
    visited.add(key);
    visited.add(value);
  }

  @BeforeEach
  void fresh() throws Exception {
    Fresh.directory("weather");
    Fresh.directory("sessions");
  }

  @Test
  void firstTwelveLines() throws Exception {
    try (Database db = Database.open(Path.of("weather"))) {
      Table readings =
          db.createTable(
              "CREATE TABLE IF NOT EXISTS w.readings (station text, at timestamp, celsius double,"
                  + " PRIMARY KEY (station, at)) WITH CLUSTERING ORDER BY (at DESC)");

      readings.write(
          readings.mutation("Cologne").insert(Instant.now()).set("celsius", 21.5).build());

      Query latest = readings.query().partition("Cologne").limit(10).build();
      try (LiveRows rows = readings.read(latest)) {
        for (Row row : rows) {
          System.out.println(row.getDouble("celsius"));
        }
      }
    }
  }

  @Test
  void keysAndValues() throws Exception {
    byte[] key = {1};
    byte[] value = {2};
    byte[] from = {0};
    byte[] to = {9};
    try (KeyValueStore store = KeyValueStore.open(Path.of("sessions"))) {
      store.put(key, value, 3600); // expires after an hour
      byte[] found = store.get(key); // null if there is none
      visit(key, found);
      try (KeyValueSnapshot snapshot = store.snapshot();
          KeyValueIterator entries = snapshot.iterator(from, to)) {
        for (entries.seekToLast(); entries.isValid(); entries.prev()) {
          visit(entries.key(), entries.value());
        }
      }
    }

    assertEquals(4, visited.size());
    assertArrayEquals(value, (byte[]) visited.get(1));
    assertArrayEquals(value, (byte[]) visited.get(3));
  }

  @Test
  void compactionSteered() throws Exception {
    CompactionService compaction =
        new CompactionService(CompactionOptions.builder().bytesPerSecond(32 << 20).build());
    DatabaseOptions options = DatabaseOptions.builder().compaction(compaction).build();
    try (Database db = Database.open(Path.of("weather"), options)) {
      Table table = db.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "a").build());
      table.flush();
      table.write(table.mutation(2).insert().set("v", "b").build());
      table.flush();

      List<RunningCompaction> running = compaction.running(); // progress, rate, time to go
      CompactionPlan plan = compaction.explain(table.id()); // the strategy's next jobs, and why
      CompactionReport report =
          table
              .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
              .toCompletableFuture()
              .get()
              .orThrow();

      assertNotNull(running);
      assertFalse(plan.remarks().isEmpty());
      assertEquals(1, report.completed().size());
      assertEquals(1, table.statistics().sstables().count());
    }
  }

  @Test
  void tableWithoutADatabase() throws Exception {
    try (Database db = Database.open(Path.of("weather"))) {
      Table table = db.createTable("CREATE TABLE w.t (k int PRIMARY KEY, v text)");
      table.write(table.mutation(1).insert().set("v", "a").build());
      db.flush();
      db.checkpoint(Path.of("weather", "copy"));
    }
    Path directory;
    try (var tables = java.nio.file.Files.list(Path.of("weather", "copy", "data", "w"))) {
      directory = tables.findFirst().orElseThrow();
    }
    try (OfflineTable table = OfflineTable.openReadOnly(directory); // with its schema.cql
        LiveRows rows = table.read(table.query().build())) {
      for (Row row : rows) {
        visit(row.getInt("k"), row.getString("v"));
      }
    }

    assertEquals(List.of(1, "a"), visited);
  }
}
