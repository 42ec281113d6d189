package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.DAY_MILLIS;
import static io.siltstone.compaction.strategy.MadeUp.MIB;
import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static io.siltstone.compaction.strategy.MadeUp.inputs;
import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.strategy;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnifiedStrategyTest {
  private static final String NAME = "UnifiedCompactionStrategy";
  private static final long QUARTER = 1L << 62;

  private final Strategy tiers = strategy(NAME);

  @Test
  void asManyAsTheThresholdAreMergedIfTheyOverlap() {
    LiveTables live =
        live(table(1), table(2).mib(101), table(3).mib(102), table(4).mib(103).tokens(1, QUARTER));
    // The last has the density of four times its size, and is of the next level.
    assertThat(tiers.plan(live, NOW).jobs()).isEmpty();
    LiveTables same = live(table(1), table(2), table(3), table(4).mib(30).tokens(1, QUARTER));
    Plan plan = tiers.plan(same, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 2L, 3L, 4L));
    assertThat(plan.jobs().get(0).reason()).endsWith("4 overlap at one key, T4 merges 4");
    assertThat(plan.debtBytes()).isEqualTo(330 * MIB);
  }

  @Test
  void theResultIsDividedByShards() {
    LiveTables live =
        live(table(1).mib(300), table(2).mib(300), table(3).mib(300), table(4).mib(300));
    assertThat(tiers.plan(live, NOW).jobs().get(0).split())
        .isEqualTo(new Split.AtTokens(List.of(-QUARTER, 0L, QUARTER - 1)));
    LiveTables bytes = new LiveTables(live.tables(), Partitioner.BYTE_ORDERED, Long.MAX_VALUE, 0);
    assertThat(tiers.plan(bytes, NOW).jobs().get(0).split()).isEqualTo(Split.NONE);
  }

  @Test
  void levelsMergeTwo() {
    LiveTables live = live(table(1), table(2));
    assertThat(strategy(NAME, "scaling_parameters", "L10").plan(live, NOW).jobs()).hasSize(1);
    assertThat(strategy(NAME, "scaling_parameters", "N").plan(live, NOW).jobs()).hasSize(1);
    assertThat(strategy(NAME, "scaling_parameters", "T3").plan(live, NOW).jobs()).isEmpty();
  }

  @Test
  void levelsBeginAtTheSizeOfAFlush() {
    // 200 MiB and 100 MiB are of one level if flushes have 100 MiB, but not with 170.
    LiveTables live =
        live(table(1).mib(100), table(2).mib(200), table(3).mib(100), table(4).mib(200));
    LiveTables of100 = new LiveTables(live.tables(), live.partitioner(), Long.MAX_VALUE, 100 * MIB);
    LiveTables of40 = new LiveTables(live.tables(), live.partitioner(), Long.MAX_VALUE, 40 * MIB);
    assertThat(tiers.plan(of100, NOW).jobs()).hasSize(1);
    assertThat(tiers.plan(of40, NOW).jobs()).isEmpty();
    assertThat(strategy(NAME, "flush_size_override", "100MiB").plan(of40, NOW).jobs()).hasSize(1);
  }

  @Test
  void theMostOverlappingPlaceComesFirst() {
    List<MadeUp> tables = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tables.add(table(i).mib(20).tokens(0, QUARTER));
    }
    for (int i = 10; i < 15; i++) {
      tables.add(table(i).mib(20).tokens(-QUARTER, -1));
    }
    Plan plan =
        strategy(NAME, "scaling_parameters", "T4").plan(live(tables.toArray(MadeUp[]::new)), NOW);
    assertThat(inputs(plan.jobs()))
        .containsExactly(List.of(10L, 11L, 12L, 13L, 14L), List.of(0L, 1L, 2L, 3L));
  }

  @Test
  void overlapIsIncludedAsFarAsAskedFor() {
    // 1 and 2 overlap, 2 and 3, and 3 and 4.
    MadeUp[] tables = {
      table(1).mib(20).tokens(0, QUARTER / 4),
      table(2).mib(20).tokens(QUARTER / 4, QUARTER / 2),
      table(3).mib(20).tokens(QUARTER / 2, QUARTER / 4 * 3),
      table(4).mib(20).tokens(QUARTER / 4 * 3, QUARTER)
    };
    LiveTables live = live(tables);
    assertThat(inputs(strategy(NAME, "scaling_parameters", "N").plan(live, NOW).jobs()))
        .containsExactly(List.of(1L, 2L, 3L, 4L));
    assertThat(
            inputs(
                strategy(NAME, "scaling_parameters", "N", "overlap_inclusion_method", "single")
                    .plan(live, NOW)
                    .jobs()))
        .containsExactly(List.of(1L, 2L, 3L));
    assertThat(
            inputs(
                strategy(NAME, "scaling_parameters", "N", "overlap_inclusion_method", "NONE")
                    .plan(live, NOW)
                    .jobs()))
        .containsExactly(List.of(1L, 2L), List.of(3L, 4L));
  }

  @Test
  void whereVeryManyHaveGatheredTheOldestAreMergedAsIfInTime() {
    List<MadeUp> tables = new ArrayList<>();
    for (int i = 0; i < 55; i++) {
      tables.add(table(i).times(i, i + 10));
    }
    List<Job> jobs = tiers.plan(live(tables.toArray(MadeUp[]::new)), NOW).jobs();
    assertThat(jobs.stream().map(job -> job.inputs().size())).containsExactly(16, 16, 16, 7);
    assertThat(inputs(jobs).get(0)).contains(0L, 15L).doesNotContain(16L);
    List<Job> levels =
        strategy(NAME, "scaling_parameters", "L4")
            .plan(live(tables.toArray(MadeUp[]::new)), NOW)
            .jobs();
    assertThat(levels.stream().map(job -> job.inputs().size())).containsExactly(48, 7);
  }

  @Test
  void aMajorCompactionHasAJobForEachPlace() {
    LiveTables live =
        live(table(1).tokens(0, 10), table(2).tokens(11, 20), table(3).tokens(15, 30));
    assertThat(inputs(tiers.major(live, false, NOW))).containsExactly(List.of(1L), List.of(2L, 3L));
  }

  @Test
  void tombstonesAreNoReasonUnlessAskedFor() {
    LiveTables live =
        live(table(1).tombstones(500, NOW / 1000 - 900_000).writtenAt(NOW - 2 * DAY_MILLIS));
    assertThat(tiers.plan(live, NOW).jobs()).isEmpty();
    assertThat(strategy(NAME, "tombstone_threshold", "0.3").plan(live, NOW).jobs()).hasSize(1);
  }
}
