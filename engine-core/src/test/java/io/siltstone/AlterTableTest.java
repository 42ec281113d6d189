package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
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
          assertThat(database.statistics().memtableBytes()).isLessThan(limit + (1 << 20));
        }
        database.alterTable("ks", "t", "ALTER TABLE ks.t WITH comment = '" + i + "'");
      }
    }
  }
}
