package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/quick-start.md. */
class QuickStartTest {
  @TempDir private Path directory;

  private Database db;
  private Table readings;
  private Table stations;

  @BeforeEach
  void open() throws Exception {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .memoryBytes(256 << 20)
            .memtableBytes(64 << 20)
            .chunkCacheBytes(64 << 20)
            .commitLog(CommitLogOptions.builder().syncMode(SyncMode.GROUP).build())
            .build();
    Database db = Database.open(directory, options);

    this.db = db;
    readings =
        db.createTable(
            """
            CREATE TABLE IF NOT EXISTS weather.readings (
                station text,
                at timestamp,
                celsius double,
                PRIMARY KEY (station, at)
            ) WITH CLUSTERING ORDER BY (at DESC)
            """);
    stations =
        db.createTable(
            "CREATE TABLE IF NOT EXISTS weather.stations"
                + " (name text PRIMARY KEY, owner text, last timestamp)");
  }

  @AfterEach
  void close() throws Exception {
    db.close();
  }

  @Test
  void writesAndReads() throws Exception {
    Instant noon = Instant.parse("2026-06-15T12:00:00Z");
    Mutation mutation =
        readings
            .mutation("Cologne")
            .insert(noon)
            .set("celsius", 21.5)
            .insert(noon.plusSeconds(3600))
            .set("celsius", 22.0)
            .build();
    readings.write(mutation);

    Query query =
        readings
            .query()
            .partition("Cologne")
            .rows(ClusteringRange.all().from(noon).before(noon.plusSeconds(3600)))
            .build();
    List<Double> found = new ArrayList<>();
    try (LiveRows rows = readings.read(query)) {
      for (Row row : rows) {
        found.add(row.getDouble("celsius"));
      }
    }
    assertEquals(List.of(21.5), found);

    Optional<Row> latest =
        readings.get(readings.query().partition("Cologne").select("celsius").limit(1).build());
    assertEquals(22.0, latest.orElseThrow().getDouble("celsius"));
  }

  @Test
  void batchesAndConditions() throws Exception {
    Instant now = Instant.parse("2026-06-15T12:00:00Z");
    db.write(
        Batch.of(
            readings.mutation("Bonn").ttl(86_400).insert(now).set("celsius", 19.0).build(),
            stations.mutation("Bonn").update().set("last", now).build()));

    Mutation claim = stations.mutation("Bonn").update().set("owner", "ada").build();
    boolean claimed = stations.writeIf(claim, List.of(), Condition.equal("owner", null));
    assertTrue(claimed);
    assertFalse(stations.writeIf(claim, List.of(), Condition.equal("owner", null)));

    Row station = stations.get(stations.query().partition("Bonn").build()).orElseThrow();
    assertEquals(now, station.getInstant("last"));
  }

  @Test
  void deletes() throws Exception {
    Instant midnight = Instant.parse("2026-06-15T00:00:00Z");
    for (int hour = 0; hour < 24; hour++) {
      Instant at = midnight.plusSeconds(3600L * hour);
      readings.write(readings.mutation("Bonn").insert(at).set("celsius", 1.0 * hour).build());
    }
    Instant noon = midnight.plusSeconds(12 * 3600);

    readings.write(readings.mutation("Bonn").deleteRow(noon).build());
    readings.write(
        readings.mutation("Bonn").deleteRange(ClusteringRange.all().before(noon)).build());
    assertEquals(11, count(readings.query().partition("Bonn").build()));

    readings.write(readings.mutation("Bonn").deletePartition().build());
    assertEquals(0, count(readings.query().build()));
  }

  private int count(Query query) throws IOException {
    try (LiveRows rows = readings.read(query)) {
      rows.forEachRemaining(row -> {});
      return (int) rows.rows();
    }
  }

  @Test
  void pages() throws Exception {
    Instant midnight = Instant.parse("2026-06-15T00:00:00Z");
    for (int hour = 0; hour < 24; hour++) {
      Instant at = midnight.plusSeconds(3600L * hour);
      readings.write(readings.mutation("Bonn").insert(at).set("celsius", 1.0 * hour).build());
    }

    Query query = readings.query().partition("Bonn").pageSize(10).build();
    int rowsSeen = 0;
    int pages = 0;
    Query page = query;
    while (page != null) {
      try (LiveRows rows = readings.read(page)) {
        rows.forEachRemaining(row -> System.out.println(row));
        String state = rows.pagingState().map(PagingState::toString).orElse(null);
        page = state == null ? null : query.after(PagingState.parse(state));
        rowsSeen += (int) rows.rows();
        pages++;
      }
    }

    assertEquals(24, rowsSeen);
    assertEquals(3, pages);
  }
}
