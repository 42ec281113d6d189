package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Compaction and reads use one clock, unless a second one is set. */
class DatabaseClockTest {
  private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(PAST);

  private static Table tableWithTtl(Database database) throws IOException {
    Table table =
        database.createTable(
            "CREATE TABLE w.t (k int PRIMARY KEY, v int) WITH gc_grace_seconds = 0"
                + " AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': false}");
    table.write(table.mutation(1).ttl(60).insert().set("v", 1).build());
    table.write(table.mutation(2).ttl(6000).insert().set("v", 1).build());
    table.flush();
    return table;
  }

  private static DatabaseOptions options(InstantSource clock, CompactionOptions compaction) {
    return DatabaseOptions.builder()
        .clock(clock)
        .compaction(new CompactionService(compaction))
        .build();
  }

  private static long partitions(Table table) throws IOException {
    return table.live().tables().stream().mapToLong(each -> each.partitions()).sum();
  }

  @Test
  void whatTheClockOfTheDatabaseSaysIsThereStaysInACompaction() throws Exception {
    CompactionOptions noClock = CompactionOptions.builder().build();
    assertThat(noClock.clock()).isNull();
    try (Database database = Database.open(new MemoryDirectory(), options(now::get, noClock))) {
      Table table = tableWithTtl(database);
      table
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get()
          .orThrow();
      assertThat(table.get(table.query().partition(1).build())).isPresent();
      assertThat(table.get(table.query().partition(2).build())).isPresent();
      now.set(PAST.plusSeconds(120));
      assertThat(table.get(table.query().partition(1).build())).isEmpty();
      table
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get()
          .orThrow();
      assertThat(partitions(table)).isEqualTo(1);
      assertThat(table.get(table.query().partition(2).build())).isPresent();
    }
  }

  @Test
  void aClockThatIsAskedForDecidesInItsPlace() throws Exception {
    CompactionOptions ahead =
        CompactionOptions.builder()
            .clock(InstantSource.offset(now::get, Duration.ofHours(1)))
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options(now::get, ahead))) {
      Table table = tableWithTtl(database);
      table
          .compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR))
          .toCompletableFuture()
          .get()
          .orThrow();
      assertThat(partitions(table)).isEqualTo(1);
    }
  }
}
