package io.siltstone.compaction;

import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.MadeUp;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.spi.LiveTables;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PurgeForecastTest {
  private static final long LONG_AGO = NOW / 1000 - 1_000_000;
  private static final String NAME = "SizeTieredCompactionStrategy";

  private static List<String> forecast(Kind kind, LiveTables live, String... options) {
    Job job = new Job(live.tables(), 0, Split.NONE, false, "asked for");
    return new PurgeForecast(MadeUp.schema(NAME, 100, options), live, NOW)
        .of(new JobSpec(job, kind, "asked for"));
  }

  @Test
  void whatIsOldMayBePurged() {
    assertThat(forecast(Kind.MERGE, live(table(1).tombstones(400, LONG_AGO))))
        .containsExactly(
            "oa-1-big: about 40.0 % of its cells may be purged, as they were deleted or expired for"
                + " more than gc_grace_seconds 100");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"GARBAGE_COLLECT", "GARBAGE_COLLECT_CELLS"})
  void whatOthersDeleteIsNotCalledNothing(Kind kind) {
    LiveTables live =
        live(table(1).tokens(0, 100).times(10, 20), table(2).tokens(50, 150).times(15, 30));
    Job job = new Job(live.tables().subList(0, 1), 0, Split.NONE, false, "asked for");
    PurgeForecast forecast = new PurgeForecast(MadeUp.schema(NAME, 100), live, NOW);
    assertThat(forecast.of(new JobSpec(job, kind, "asked for")))
        .containsExactly(
            "oa-1-big: nothing in it is deleted or has expired; how much of it is deleted by"
                + " oa-2-big is known only when it is read");
    LiveTables older =
        live(table(1).tokens(0, 100).times(10, 20), table(2).tokens(50, 150).times(5, 9));
    assertThat(
            new PurgeForecast(MadeUp.schema(NAME, 100), older, NOW)
                .of(new JobSpec(job, kind, "asked for")))
        .containsExactly(
            "oa-1-big: nothing in it is deleted or has expired; no other SSTable may"
                + " delete any of it");
  }

  @Test
  void whatTheStatisticsAreTooCoarseForIsNotCalledNothing() {
    // A time in the histogram may be a minute later than the deletion was.
    long now = NOW / 1000;
    assertThat(forecast(Kind.MERGE, live(table(1).firstGone(now - 1).tombstones(4, now + 50))))
        .containsExactly(
            "oa-1-big: it has tombstones or expired cells, too few or too recent"
                + " to estimate how many may be purged");
    assertThat(forecast(Kind.MERGE, live(table(1).firstGone(now + 1).tombstones(4, now + 50))))
        .containsExactly("oa-1-big: nothing in it is deleted or has expired");
  }

  @Test
  void whatIsNotRepairedStaysIfOnlyRepairedTombstonesArePurged() {
    LiveTables live =
        live(table(1).tombstones(400, LONG_AGO).repaired(), table(2).tombstones(0, LONG_AGO));
    String[] onlyRepaired = {"only_purge_repaired_tombstones", "true"};
    assertThat(forecast(Kind.MERGE, live, onlyRepaired))
        .contains(
            "oa-1-big: about 40.0 % of its cells are deleted or have expired; none are purged, as"
                + " the job has unrepaired SSTables, and only_purge_repaired_tombstones is set");
    LiveTables repaired = live(table(1).tombstones(400, LONG_AGO).repaired());
    assertThat(forecast(Kind.MERGE, repaired, onlyRepaired))
        .singleElement()
        .asString()
        .contains("may be purged");
  }
}
