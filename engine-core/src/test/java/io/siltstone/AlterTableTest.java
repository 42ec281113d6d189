package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AlterTableTest {
  /** Automatic timestamps run ahead of a clock that stands still, or has ticks of milliseconds. */
  @Test
  void aDroppedColumnLosesAllThatWasWrittenBefore() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .clock(InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000)))
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v int, w int)");
      for (int i = 0; i < 3; i++) {
        table.write(table.mutation(1).insert().set("v", i).set("w", i).build());
      }
      database.alterTable("ks", "t", "ALTER TABLE ks.t DROP w");
      database.alterTable("ks", "t", "ALTER TABLE ks.t ADD w int");
      assertThat(table.get(table.query().partition(1).build()).orElseThrow().get("w")).isNull();
      table.write(table.mutation(1).update().set("w", 7).build());
      assertThat(table.get(table.query().partition(1).build()).orElseThrow().getInt("w"))
          .isEqualTo(7);
    }
  }

  /** Whoever keeps queries, as one keeps prepared statements, must not see what is gone. */
  @Test
  void aQueryFromBeforeShowsNothingOfAColumnThatWasDroppedSince() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .clock(InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000)))
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table =
          database.createTable(
              "CREATE TABLE ks.t (k int, c int, v int, w int, u set<int>, s int static,"
                  + " PRIMARY KEY (k, c))");
      Query kept = table.query().partition(1).build();
      Query scan = table.query().build();
      // As a user writes it who does not know what was dropped.
      Query written = Query.builder(table.schema(), database.partitioner()).partition(1).build();
      table.write(table.mutation(1).update(1).set("w", 1).set("u", Set.of(1)).build());
      table.write(table.mutation(1).set("s", 1).insert(2).set("v", 2).set("w", 2).build());
      table.flush();
      table.write(table.mutation(1).update(1).set("w", 3).build());
      table.write(table.mutation(1).update(3).set("w", 3).build());
      assertThat(rows(table, kept)).hasSize(3);
      database.alterTable("ks", "t", "ALTER TABLE ks.t DROP w");
      database.alterTable("ks", "t", "ALTER TABLE ks.t DROP u");
      database.alterTable("ks", "t", "ALTER TABLE ks.t DROP s");
      for (Query query : List.of(kept, scan, written)) {
        assertThat(rows(table, query)).containsExactly("{k=1, c=2, v=2}");
      }
      assertThat(table.get(kept).orElseThrow().isNull("w")).isTrue();
      List<String> found = new ArrayList<>();
      var unused = table.explain(kept, finding -> found.add(finding.toString()));
      List<String> foundToday = new ArrayList<>();
      unused =
          table.explain(
              table.query().partition(1).build(), finding -> foundToday.add(finding.toString()));
      assertThat(found).isEqualTo(foundToday);
      database.alterTable("ks", "t", "ALTER TABLE ks.t ADD w int");
      table.write(table.mutation(1).update(4).set("w", 7).build());
      for (Query query : List.of(kept, scan, written)) {
        assertThat(rows(table, query)).containsExactly("{k=1, c=2, v=2}", "{k=1, c=4, w=7}");
      }
    }
  }

  private static List<String> rows(Table table, Query query) throws IOException {
    List<String> all = new ArrayList<>();
    try (LiveRows rows = table.read(query)) {
      rows.forEachRemaining(row -> all.add(row.toString()));
    }
    return all;
  }

  /** What a change of the definition seals is memory too, which only a flush gives back. */
  @Test
  void memtablesStayWithinTheirLimitHoweverOftenATableIsAltered() throws IOException {
    long limit = 4 << 20;
    DatabaseOptions options =
        DatabaseOptions.builder().compaction(Compaction.none()).memtableBytes(limit).build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table table = database.createTable("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
      String value = "x".repeat(100_000);
      for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 15; k++) {
          table.write(table.mutation(15 * i + k).insert().set("v", value).build());
          // A write may begin just below the limit, and takes whole slabs.
          assertThat(database.statistics().memtables().bytes()).isLessThan(limit + (1 << 20));
        }
        database.alterTable("ks", "t", "ALTER TABLE ks.t WITH comment = '" + i + "'");
      }
    }
  }
}
