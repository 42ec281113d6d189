package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.event.EngineListener;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.table.Flusher;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memtables are flushed at the age that {@code memtable_flush_period_in_ms} tells. */
@Timeout(20)
class FlushPeriodTest {
  private final Queue<String> flushed = new ConcurrentLinkedQueue<>();

  @Test
  void aMemtableIsFlushedAtItsAgeAndOneWithoutRowsIsNot() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .listener(
                new EngineListener() {
                  @Override
                  public void flushCompleted(FlushCompleted event) {
                    flushed.add(event.table().name());
                  }
                })
            .build();
    try (Database database = Database.open(new MemoryDirectory(), options)) {
      Table never = database.createTable("CREATE TABLE w.never (k int PRIMARY KEY)");
      Table hourly = database.createTable(hourly("hourly"));
      database.createTable(hourly("empty"));
      never.write(never.mutation(1).insert().build());
      hourly.write(hourly.mutation(1).insert().build());
      long now = System.nanoTime();

      Flusher flusher = database.engine().writePath().flusher();
      flusher.tick(now + Duration.ofMinutes(59).toNanos());
      assertThat(hourly.statistics().memtablesFlushing()).isZero();
      assertThat(flushed).isEmpty();

      flusher.tick(now + Duration.ofMinutes(60).toNanos());
      while (flushed.isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(flushed).containsExactly("hourly");
    }
    assertThat(flushed).containsExactly("hourly", "never");
  }

  private static String hourly(String name) {
    return "CREATE TABLE w."
        + name
        + " (k int PRIMARY KEY) WITH memtable_flush_period_in_ms = 3600000";
  }
}
