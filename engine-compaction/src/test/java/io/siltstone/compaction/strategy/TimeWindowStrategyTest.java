package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.DAY_MILLIS;
import static io.siltstone.compaction.strategy.MadeUp.MIB;
import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static io.siltstone.compaction.strategy.MadeUp.inputs;
import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.strategy;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.type.CqlTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeWindowStrategyTest {
  private static final String NAME = "TimeWindowCompactionStrategy";
  private static final long DAY_MICROS = DAY_MILLIS * 1000;
  private static final long TODAY = NOW * 1000 / DAY_MICROS * DAY_MICROS;

  private final Strategy strategy = strategy(NAME);

  private static MadeUp of(long generation, int daysAgo) {
    long start = TODAY - daysAgo * DAY_MICROS;
    return table(generation).times(start + 1, start + 1000 + generation);
  }

  @Test
  void whatIsOfOneWindowOfThePastIsMergedWhateverItsSize() {
    LiveTables live = live(of(1, 1), of(2, 1).mib(5000), of(3, 2), of(4, 0), of(5, 0), of(6, 0));
    Plan plan = strategy.plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 2L));
    assertThat(plan.jobs().get(0).reason())
        .isEqualTo("window of 2027-01-14T00:00:00Z is past: 2 SSTables of 100 MiB to 4.9 GiB");
    assertThat(plan.debtBytes()).isEqualTo(5100 * MIB);
    assertThat(plan.remarks())
        .containsExactly(
            "window of 2027-01-15T00:00:00Z, current: too few of one size among 3 SSTables of 100 MiB,"
                + " min_threshold 4",
            "1 past window has only one free SSTable each");
  }

  @Test
  void theCurrentWindowIsMergedBySize() {
    LiveTables live =
        live(of(1, 0), of(2, 0), of(3, 0), of(4, 0), of(5, 0).mib(1000), of(6, 3), of(7, 3));
    assertThat(inputs(strategy.plan(live, NOW).jobs()))
        .containsExactly(List.of(1L, 2L, 3L, 4L), List.of(6L, 7L));
  }

  @Test
  void theNewestWindowIsCurrentHoweverLongAgo() {
    assertThat(strategy.plan(live(of(1, 30), of(2, 30)), NOW).jobs()).isEmpty();
    assertThat(strategy.plan(live(of(1, 30), of(2, 30), of(3, 29).claimed()), NOW).jobs())
        .hasSize(1);
  }

  @Test
  void aTimestampOfTheFutureDoesNotEndTheCurrentWindow() {
    assertThat(strategy.plan(live(of(1, 0), of(2, 0), of(3, -400)), NOW).jobs()).isEmpty();
  }

  @Test
  void unitSizeAndResolutionMakeTheWindow() {
    Strategy hours =
        strategy(
            NAME,
            "compaction_window_unit",
            "HOURS",
            "compaction_window_size",
            "2",
            "timestamp_resolution",
            "SECONDS");
    long start = NOW / 1000 / 7200 * 7200 - 72_000;
    LiveTables live =
        live(
            table(1).times(0, start),
            table(2).times(0, start + 7199),
            table(3).times(0, start + 7200),
            table(4).times(0, start + 72_000));
    assertThat(inputs(hours.plan(live, NOW).jobs())).containsExactly(List.of(1L, 2L));
  }

  @Test
  void eventTimesMakeTheWindow() {
    Strategy events = strategy(NAME, "compaction_window_time", "EVENT");
    long day = 86_400_000;
    long start = NOW / day * day - 20 * day;
    LiveTables live =
        live(
            of(1, 0).eventMillis(start),
            of(2, 0).eventMillis(start + day),
            of(3, 0).eventMillis(start + day - 1),
            of(4, 0).eventNumber((start + day) * 1000),
            of(5, 0));
    assertThat(inputs(events.plan(live, NOW).jobs()))
        .containsExactlyInAnyOrder(List.of(1L, 3L), List.of(2L, 4L));
    assertThat(strategy.plan(live, NOW).jobs())
        .as("by the time of writing all are in the present window")
        .hasSize(1);
  }

  @Test
  void windowsOfEventTimeNeedATimeColumn() {
    TableSchema plain = MadeUp.schema(NAME, 0, "compaction_window_time", "EVENT");
    TableSchema timeless =
        TableSchema.builder("ks", "t")
            .partitionKey("k", CqlTypes.BLOB)
            .clustering("c", CqlTypes.TEXT)
            .options(plain.options())
            .build();
    assertThatThrownBy(() -> StrategyRegistry.of(timeless))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("compaction_window_time = EVENT")
        .hasMessageContaining("has no time column");
  }

  @Test
  void whatTheFloorHidesIsDroppedOrRewrittenFirst() {
    LiveTables live =
        live(
            of(1, 20).hidden(LiveTable.Hidden.ALL),
            of(2, 20).hidden(LiveTable.Hidden.ROWS),
            of(3, 9).hidden(LiveTable.Hidden.ALL),
            of(4, 20).hidden(LiveTable.Hidden.ALL).claimed(),
            of(5, 20));
    List<Job> jobs = strategy.plan(live, NOW).jobs();
    assertThat(inputs(jobs)).containsExactly(List.of(1L, 3L), List.of(2L));
    assertThat(jobs.get(0).reason()).contains("lie below the retention floor");
    assertThat(jobs.get(1).reason()).startsWith("all rows of ");
  }

  @Test
  void whatHasExpiredIsDroppedWithoutOthers() {
    long expired = NOW / 1000 - 864_001;
    LiveTables live = live(of(1, 20).expiring(expired), of(2, 21), of(3, 0).times(0, TODAY));
    assertThat(strategy.plan(live, NOW).jobs()).isEmpty();
    Strategy unsafe = strategy(NAME, "unsafe_aggressive_sstable_expiration", "true");
    List<Job> jobs = unsafe.plan(live, NOW).jobs();
    assertThat(inputs(jobs)).containsExactly(List.of(1L));
    assertThat(jobs.get(0).ignoresOverlaps()).isTrue();
  }

  @Test
  void whatWasJustWrittenIsLookedAtLater() {
    MadeUp expired = of(1, 20).expiring(NOW / 1000 - 864_001);
    assertThat(strategy.plan(live(expired.writtenAt(NOW - 599_999)), NOW).jobs()).isEmpty();
    assertThat(strategy.plan(live(expired.writtenAt(NOW - 600_000)), NOW).jobs()).hasSize(1);
  }

  @Test
  void tombstonesAreNoReasonUnlessAskedFor() {
    LiveTables live = live(of(1, 3).tombstones(500, NOW / 1000 - 900_000), of(2, 0));
    assertThat(strategy.plan(live, NOW).jobs()).isEmpty();
    assertThat(strategy(NAME, "tombstone_threshold", "0.3").plan(live, NOW).jobs()).hasSize(1);
    assertThat(strategy(NAME, "unchecked_tombstone_compaction", "false").plan(live, NOW).jobs())
        .isEmpty();
  }

  @Test
  void aMajorCompactionLeavesATableForEachWindow() {
    assertThat(inputs(strategy.major(live(of(1, 0), of(2, 5), of(3, 5), of(4, 0)), false, NOW)))
        .containsExactly(List.of(2L, 3L), List.of(1L, 4L));
  }
}
