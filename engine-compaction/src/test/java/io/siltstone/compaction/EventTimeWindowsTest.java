package io.siltstone.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.event.EngineListener;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.LiveSSTable;
import io.siltstone.model.Contents;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Time windows of event times, whose SSTables go when the retention floor has passed them. */
class EventTimeWindowsTest {
  private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
  private static final int WINDOWS = 4;

  private final Directory disk = new MemoryDirectory();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CompactionService service =
      new CompactionService(CompactionOptions.builder().compactors(1).bytesPerSecond(0).build());

  private Database open() throws IOException {
    EngineListener listener =
        new EngineListener() {
          @Override
          public void retentionRaised(RetentionRaised event) {
            events.add(event.table().name() + " " + event.before() + " to " + event.floor());
          }

          @Override
          public void retentionDropped(RetentionDropped event) {
            events.add("dropped " + event.sstables().size() + " of " + event.table().name());
          }
        };
    return Database.open(
        disk, DatabaseOptions.builder().compaction(service).listener(listener).build());
  }

  private static Instant time(int window, int minute) {
    return START.plus(Duration.ofHours(window)).plus(Duration.ofMinutes(minute));
  }

  @Test
  void windowsBelowTheFloorAreDroppedWithoutBeingRead() throws Exception {
    try (Database database = open()) {
      Table table =
          database.createTable(
              "CREATE TABLE ks.t (k int, at timestamp, v text, PRIMARY KEY (k, at)) WITH"
                  + " compaction = {'class': 'TimeWindowCompactionStrategy',"
                  + " 'compaction_window_unit': 'HOURS', 'compaction_window_time': 'EVENT'}");
      for (int window = 0; window < WINDOWS; window++) {
        for (int minute = 0; minute < 2; minute++) {
          table.write(table.mutation(1).insert(time(window, minute)).set("v", "v").build());
          table.flush();
        }
      }
      // Each past window is merged to one SSTable, the last has two.
      await(() -> sstables(table).size() == WINDOWS + 1 && service.running().isEmpty());
      assertThat(table.raiseRetentionFloor(time(2, 1))).isTrue();
      // A job is in the history a moment after its SSTables are gone.
      await(() -> sstables(table).size() == WINDOWS - 1 && hasDropped(service));
      await(() -> events.size() == 2);
      assertThat(events).containsExactly("t null to " + time(2, 1), "dropped 2 of t");
      assertThat(service.history().stream().map(CompactionRecord::report))
          .filteredOn(report -> report != null && !report.expired().isEmpty())
          .singleElement()
          .satisfies(
              report -> {
                assertThat(Objects.requireNonNull(report).expired()).hasSize(2);
                assertThat(report.belowFloor()).isEqualTo(report.expired());
                assertThat(report.read().rows()).isZero();
              });
      assertThat(Contents.of(table)).hasSize(3);
    }
    try (Database database = open()) {
      Table table = database.table("ks", "t");
      assertThat(table.schema().options().compaction())
          .containsEntry("compaction_window_time", "EVENT");
      assertThat(Contents.of(table)).hasSize(3);
    }
  }

  private static boolean hasDropped(CompactionService service) {
    return service.history().stream()
        .map(CompactionRecord::report)
        .anyMatch(report -> report != null && !report.expired().isEmpty());
  }

  /** A window with static rows is rewritten once, to what is not a row. */
  @Test
  void staticRowsAndDeletionsOfPartitionsStay() throws Exception {
    try (Database database = open()) {
      Table table =
          database.createTable(
              "CREATE TABLE ks.t (k int, at timestamp, v text, s text static, PRIMARY KEY (k, at))"
                  + " WITH compaction = {'class': 'TimeWindowCompactionStrategy',"
                  + " 'compaction_window_unit': 'HOURS', 'compaction_window_time': 'EVENT'}");
      table.write(table.mutation(1).insert(time(0, 0)).set("v", "v").set("s", "s").build());
      table.write(table.mutation(2).deletePartition().build());
      table.write(table.mutation(2).insert(time(0, 0)).set("v", "v").build());
      table.flush();
      table.raiseRetentionFloor(time(1, 0));
      await(() -> sstables(table).stream().allMatch(each -> each.rows() == 1));
      await(() -> service.running().isEmpty() && !service.history().isEmpty());
      assertThat(sstables(table)).singleElement().matches(each -> each.partitions() == 2);
      assertThat(service.history()).hasSize(1);
      assertThat(Contents.of(table)).singleElement().asString().startsWith("1 ");
    }
  }

  private static List<LiveSSTable> sstables(Table table) {
    try {
      return table.sstables();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it comes true in time").isLessThan(end);
      Thread.sleep(5);
    }
  }
}
