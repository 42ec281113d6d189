package io.siltstone.compaction.strategy;

import static io.siltstone.compaction.strategy.MadeUp.DAY_MILLIS;
import static io.siltstone.compaction.strategy.MadeUp.MIB;
import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static io.siltstone.compaction.strategy.MadeUp.inputs;
import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.strategy;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.siltstone.partitioner.Partitioner;
import io.siltstone.spi.LiveTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeveledStrategyTest {
  private static final String NAME = "LeveledCompactionStrategy";

  private final Strategy strategy = strategy(NAME, "sstable_size_in_mb", "100");

  @Test
  void levelZeroMovesDownWithAllThatItOverlaps() {
    LiveTables live =
        live(
            table(1).mib(80).tokens(0, 100),
            table(2).mib(80).tokens(50, 200),
            table(3).mib(100).level(1).tokens(-50, 10),
            table(4).mib(100).level(1).tokens(150, 160),
            table(5).mib(100).level(1).tokens(201, 300));
    Plan plan = strategy.plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 2L, 3L, 4L));
    Job job = plan.jobs().get(0);
    assertThat(job.level()).isEqualTo(1);
    assertThat(job.split()).isEqualTo(new Split.BySize(100 * MIB));
    assertThat(job.reason())
        .isEqualTo(
            "2 SSTables of 80 MiB of level 0 and the 2 SSTables of 100 MiB of level 1 that overlap");
    assertThat(plan.remarks()).containsExactly("level 1: 3 SSTables, 300 MiB of 1.0 GiB");
  }

  @Test
  void tooLittleForLevelOneIsMergedWithinLevelZero() {
    Plan plan =
        strategy.plan(live(table(1).mib(30), table(2).mib(40), table(3).mib(100).level(1)), NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 2L));
    assertThat(plan.jobs().get(0).level()).isZero();
    assertThat(strategy.plan(live(table(1).mib(30)), NOW).jobs()).isEmpty();
  }

  @Test
  void aLevelOfWhichAllMovesDownIsNotSaidToBeTooLarge() {
    Plan plan = strategy.plan(live(table(1).mib(2000).level(1)), NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L));
    assertThat(plan.remarks()).containsExactly("level 1: 1 SSTable, 2.0 GiB of 1.0 GiB");
  }

  @Test
  void ofALevelThatHoldsTooMuchTheTableThatOverlapsLeastMovesDown() {
    List<MadeUp> tables = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      tables.add(table(i).mib(100).level(1).tokens(100L * i, 100L * i + 99));
    }
    // Each overlaps two of the next level, but the seventh overlaps one.
    for (int i = 0; i < 22; i++) {
      if (i != 13) {
        tables.add(table(100 + i).mib(100).level(2).tokens(50L * i, 50L * i + 49));
      }
    }
    Plan plan = strategy.plan(live(tables.toArray(MadeUp[]::new)), NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(6L, 112L));
    assertThat(plan.jobs().get(0).level()).isEqualTo(2);
    // 100 MiB above the target, and their share of the 2,100 MiB of the next level.
    assertThat(plan.debtBytes()).isBetween(280 * MIB, 300 * MIB);
  }

  @Test
  void levelZeroIsMergedBySizeWhenItHasFallenBehind() {
    List<MadeUp> tables = new ArrayList<>();
    for (int i = 0; i < 33; i++) {
      tables.add(table(i).mib(60 + i));
    }
    tables.add(table(100).mib(1200).level(1).tokens(0, 5));
    Plan plan = strategy.plan(live(tables.toArray(MadeUp[]::new)), NOW);
    assertThat(plan.jobs().get(0).inputs()).hasSizeGreaterThan(4);
    assertThat(plan.jobs().get(0).level()).isZero();
    assertThat(plan.jobs().get(0).split()).isEqualTo(Split.NONE);
    assertThat(plan.jobs().get(0).reason()).startsWith("level 0 has 33 SSTables, more than 32: ");
  }

  @Test
  void whatOverlapsOnItsLevelCountsAsOfLevelZero() {
    LiveTables live =
        live(
            table(1).mib(100).level(2).tokens(0, 100).times(1, 10),
            table(2).mib(100).level(2).tokens(50, 500).times(1, 9),
            table(3).mib(50).tokens(300, 400).times(1, 20));
    // The newer one, 1, moves down with the SSTables of level 0.
    assertThat(inputs(strategy.plan(live, NOW).jobs())).containsExactly(List.of(1L, 3L));
  }

  @Test
  void aTableOfALevelThatIsHigherThanTheDataNeedsIsFetchedDown() {
    LiveTables live =
        live(
            table(1).mib(80).tokens(0, 100),
            table(2).mib(80).tokens(50, 200),
            table(3).mib(10).level(5).tokens(20, 30),
            table(4).mib(10).level(5).tokens(190, 300));
    assertThat(inputs(strategy.plan(live, NOW).jobs())).containsExactly(List.of(1L, 2L, 3L));
  }

  @Test
  void aTableIsNotFetchedPastANewerOne() {
    LiveTables live =
        live(
            table(1).mib(80).tokens(0, 100),
            table(2).mib(80).tokens(50, 200),
            table(3).mib(10).level(5).tokens(20, 30),
            table(4).mib(10).level(3).tokens(25, 26));
    assertThat(inputs(strategy.plan(live, NOW).jobs())).containsExactly(List.of(1L, 2L));
  }

  @Test
  void aJobThatRunsKeepsOthersOffItsPlace() {
    LiveTables live =
        live(
            table(1).mib(80).tokens(0, 10).claimed(),
            table(2).mib(80).tokens(90, 100).claimed(),
            table(3).mib(80).tokens(40, 50),
            table(4).mib(80).tokens(45, 60),
            table(5).mib(80).tokens(200, 300),
            table(6).mib(80).tokens(200, 300));
    assertThat(inputs(strategy.plan(live, NOW).jobs())).containsExactly(List.of(5L, 6L));
  }

  @Test
  void aDamagedTableOfLevelZeroKeepsNothingFromMovingDown() {
    LiveTables live =
        live(
            table(1).mib(80).times(1, 10).damaged(),
            table(2).mib(80).tokens(40, 50).times(11, 20),
            table(3).mib(80).tokens(45, 60).times(11, 30),
            table(4).mib(100).level(1).tokens(0, 45),
            table(5).mib(80).tokens(200, 300).times(11, 20).claimed());
    Plan plan = strategy.plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(2L, 3L, 4L));
    assertThat(plan.jobs().get(0).level()).isEqualTo(1);
    assertThat(plan.remarks())
        .contains(
            "1 SSTable of 80 MiB: part of running jobs",
            "1 SSTable of 80 MiB: damaged, left alone until scrubbed; or unreadable, left alone for a while");
  }

  @Test
  void aDamagedTableOfALevelKeepsNothingFromMovingThere() {
    List<MadeUp> tables = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      tables.add(table(i).mib(100).level(1).tokens(100L * i, 100L * i + 99));
    }
    tables.get(4).damaged();
    tables.add(table(10).mib(80).tokens(0, 999));
    tables.add(table(11).mib(80).tokens(0, 999));
    Plan plan = strategy.plan(live(tables.toArray(MadeUp[]::new)), NOW);
    assertThat(inputs(plan.jobs()))
        .containsExactly(List.of(0L, 1L, 2L, 3L, 5L, 6L, 7L, 8L, 9L, 10L, 11L));
    assertThat(plan.jobs().get(0).level()).isEqualTo(1);
    tables.remove(4);
    Plan without = strategy.plan(live(tables.toArray(MadeUp[]::new)), NOW);
    assertThat(plan.debtBytes()).isEqualTo(without.debtBytes());
    assertThat(plan.remarks())
        .containsExactlyInAnyOrder(
            "1 SSTable of 100 MiB: damaged, left alone until scrubbed; or unreadable, left alone for a while",
            "level 1: 9 SSTables, 900 MiB of 1.0 GiB");
  }

  @Test
  void aDamagedTableIsNoneOfItsLevel() {
    LiveTables overlapping =
        live(
            table(1).mib(100).level(1).tokens(0, 500).times(1, 10).damaged(),
            table(2).mib(100).level(1).tokens(50, 99).times(1, 20),
            table(3).mib(100).level(1).tokens(100, 200).times(1, 20));
    Plan plan = strategy.plan(overlapping, NOW);
    assertThat(plan.jobs()).isEmpty();
    assertThat(plan.debtBytes()).isZero();
    assertThat(plan.remarks()).contains("level 1: 2 SSTables, 200 MiB of 1.0 GiB");
    List<MadeUp> tables = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      tables.add(table(i).mib(100).level(1).tokens(100L * i, 100L * i + 99));
    }
    tables.add(table(20).mib(100).level(2).tokens(0, 2000).damaged());
    Plan down = strategy.plan(live(tables.toArray(MadeUp[]::new)), NOW);
    assertThat(down.jobs()).hasSize(1);
    assertThat(down.jobs().get(0).level()).isEqualTo(2);
    assertThat(down.debtBytes()).isBetween(75 * MIB, 100 * MIB);
  }

  @Test
  void aDamagedTableThatAJobHasKeepsItsPlace() {
    LiveTables live =
        live(
            table(2).mib(80).tokens(40, 50),
            table(3).mib(80).tokens(45, 60),
            table(4).mib(100).level(1).tokens(0, 45).damaged().claimed());
    Plan plan = strategy.plan(live, NOW);
    assertThat(plan.jobs()).isEmpty();
    assertThat(plan.remarks())
        .contains(
            "2 SSTables of 80 MiB of level 0 wait: SSTables that they overlap are part of other jobs");
  }

  @Test
  void aTombstoneCompactionStaysOnItsLevel() {
    LiveTables live = live(table(1).mib(100).level(3).tombstones(400, NOW / 1000 - 900_000));
    Job job = strategy.plan(live, NOW).jobs().get(0);
    assertThat(job.level()).isEqualTo(3);
    assertThat(job.split()).isEqualTo(new Split.BySize(100 * MIB));
  }

  @Test
  void aMajorCompactionFillsTheLowestLevelThatHoldsItAll() {
    LiveTables live =
        live(table(1).mib(900), table(2).mib(900).level(3).writtenAt(NOW - DAY_MILLIS));
    List<Job> jobs = strategy.major(live, false, NOW);
    assertThat(inputs(jobs)).containsExactly(List.of(1L, 2L));
    assertThat(jobs.get(0).level()).isEqualTo(2);
    LiveTables running =
        live(
            table(1).mib(900), table(2).mib(900), table(3).mib(10).level(2).tokens(5, 6).claimed());
    assertThat(strategy.major(running, false, NOW).get(0).level()).isEqualTo(3);
  }

  @Test
  void levelsAreGivenAnewByAge() {
    LiveTables live =
        live(
            table(1).tokens(0, 100).times(1, 30),
            table(2).tokens(50, 200).times(1, 20),
            table(3).tokens(150, 300).times(1, 10),
            table(4).tokens(10, 20).times(1, 5));
    Map<?, Integer> levels =
        StrategyRegistry.relevel(
            MadeUp.schema(NAME, 0, "sstable_size_in_mb", "20", "fanout_size", "10"),
            new LiveTables(live.tables(), Partitioner.MURMUR3, 0, 0));
    assertThat(levels.values().stream().sorted()).containsExactly(0, 1, 2, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> StrategyRegistry.relevel(MadeUp.schema("SizeTieredCompactionStrategy", 0), live))
        .withMessageContaining("SizeTieredCompactionStrategy");
  }
}
