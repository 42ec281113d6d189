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
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizeTieredStrategyTest {
  private static final String NAME = "SizeTieredCompactionStrategy";
  private static final long OLD_SECONDS = NOW / 1000 - 900_000;

  private final Strategy strategy = strategy(NAME);

  @Test
  void tablesOfSimilarSizeAreMergedWhenThereAreEnough() {
    LiveTables live =
        live(table(1).mib(100), table(2).mib(110), table(3).mib(90), table(4).mib(120));
    Plan plan = strategy.plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 2L, 3L, 4L));
    assertThat(plan.jobs().get(0).reason())
        .isEqualTo("4 SSTables of 90 MiB to 120 MiB, min_threshold 4");
    assertThat(plan.debtBytes()).isEqualTo(420 * MIB);
    assertThat(plan.remarks()).isEmpty();
  }

  @Test
  void tooFewAreLeftAloneAndItIsSaidWhy() {
    Plan plan =
        strategy.plan(
            live(table(1).mib(100), table(2).mib(110), table(3).mib(90), table(4).mib(1000)), NOW);
    assertThat(plan.jobs()).isEmpty();
    assertThat(plan.debtBytes()).isZero();
    assertThat(plan.remarks())
        .containsExactly(
            "3 SSTables of 90 MiB to 110 MiB are of one size, min_threshold 4",
            "1 SSTable of 1.0 GiB has no other of its size, min_threshold 4");
  }

  @Test
  void allTablesBelowTheLeastSizeAreOfOneSize() {
    LiveTables live = live(table(1).mib(1), table(2).mib(49), table(3).mib(0.01), table(4).mib(5));
    assertThat(strategy.plan(live, NOW).jobs()).hasSize(1);
    assertThat(strategy(NAME, "min_sstable_size", "0").plan(live, NOW).jobs()).isEmpty();
  }

  @Test
  void thePlanHasAllThatCanStartAtOnceTheSmallestFirst() {
    LiveTables live =
        live(
            table(1).mib(1000),
            table(2).mib(1000),
            table(3).mib(100),
            table(4).mib(100),
            table(5).mib(1000),
            table(6).mib(100));
    Plan plan = strategy(NAME, "min_threshold", "3").plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(3L, 4L, 6L), List.of(1L, 2L, 5L));
  }

  @Test
  void atMostMaxThresholdAreMergedAtOnce() {
    LiveTables live =
        live(
            table(1).mib(101),
            table(2).mib(102),
            table(3).mib(103),
            table(4).mib(104),
            table(5).mib(105));
    Strategy narrow = strategy(NAME, "min_threshold", "2", "max_threshold", "2");
    assertThat(inputs(narrow.plan(live, NOW).jobs()))
        .containsExactly(List.of(1L, 2L), List.of(3L, 4L));
  }

  @Test
  void claimedTablesAreNotChosen() {
    LiveTables live = live(table(1), table(2), table(3), table(4).claimed());
    Plan plan = strategy.plan(live, NOW);
    assertThat(plan.jobs()).isEmpty();
    assertThat(plan.remarks()).contains("1 SSTable of 100 MiB: part of running jobs");
  }

  @Test
  void repairedAndUnrepairedTablesAreNotMergedWithEachOther() {
    Strategy pairs = strategy(NAME, "min_threshold", "2");
    LiveTables live =
        live(
            table(1), table(2).repaired(), table(3), table(4).repaired(), table(5).pendingRepair());
    Plan plan = pairs.plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 3L), List.of(2L, 4L));
    assertThat(plan.remarks()).hasSize(1).first().asString().contains("repair that has not ended");
    assertThat(inputs(pairs.major(live, false, NOW)))
        .containsExactly(List.of(1L, 3L), List.of(2L, 4L));
  }

  @Test
  void aTableOfManyTombstonesIsRewrittenAlone() {
    MadeUp many = table(1).tombstones(300, OLD_SECONDS);
    Plan plan = strategy.plan(live(many, table(2).mib(1000).times(3000, 4000)), NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L));
    assertThat(plan.jobs().get(0).reason())
        .isEqualTo(
            "1 SSTable of 100 MiB has about 30 % droppable tombstones, tombstone_threshold 0.2");
    assertThat(plan.debtBytes()).isZero();
  }

  @Test
  void tombstonesWithinGcGraceAreNoReason() {
    MadeUp many = table(1).tombstones(300, NOW / 1000 - 800_000);
    assertThat(strategy.plan(live(many), NOW).jobs()).isEmpty();
  }

  @Test
  void aTableThatHasJustBeenWrittenIsNotRewrittenForTombstones() {
    MadeUp many = table(1).tombstones(300, OLD_SECONDS).writtenAt(NOW - DAY_MILLIS + 1);
    Plan plan = strategy.plan(live(many), NOW);
    assertThat(plan.jobs()).isEmpty();
    assertThat(plan.remarks())
        .contains(
            "1 SSTable with more droppable tombstones than tombstone_threshold 0.2, not rewritten: younger"
                + " than tombstone_compaction_interval 86400 s");
    assertThat(strategy.plan(live(many.writtenAt(NOW - DAY_MILLIS)), NOW).jobs()).hasSize(1);
  }

  @Test
  void tombstonesThatOlderDataElsewhereNeedsAreNoReasonUnlessUnchecked() {
    LiveTables live =
        live(table(1).tombstones(300, OLD_SECONDS), table(2).mib(1000).times(0, 4000));
    assertThat(strategy.plan(live, NOW).jobs()).isEmpty();
    assertThat(strategy.plan(live, NOW).remarks())
        .anyMatch(r -> r.contains("older data of other SSTables"));
    assertThat(strategy(NAME, "unchecked_tombstone_compaction", "true").plan(live, NOW).jobs())
        .hasSize(1);
  }

  @Test
  void tombstonesThatOlderDataOfMemtablesNeedsAreNoReasonUnlessUnchecked() {
    List<LiveTable> many = live(table(1).tombstones(300, OLD_SECONDS)).tables();
    LiveTables written = new LiveTables(many, Partitioner.MURMUR3, 2000, 0);
    assertThat(strategy.plan(written, NOW).jobs()).isEmpty();
    assertThat(strategy.plan(written, NOW).remarks()).anyMatch(r -> r.contains("of memtables"));
    assertThat(strategy(NAME, "unchecked_tombstone_compaction", "true").plan(written, NOW).jobs())
        .hasSize(1);
    LiveTables newer = new LiveTables(many, Partitioner.MURMUR3, 2001, 0);
    assertThat(strategy.plan(newer, NOW).jobs()).hasSize(1);
  }

  @Test
  void aTableIsNotRewrittenForTombstonesMoreThanOnceAMinute() {
    Strategy atOnce =
        strategy(
            NAME, "tombstone_compaction_interval", "0", "unchecked_tombstone_compaction", "true");
    MadeUp many = table(1).tombstones(300, OLD_SECONDS).writtenAt(NOW - 59_999);
    assertThat(atOnce.plan(live(many), NOW).jobs()).isEmpty();
    assertThat(atOnce.plan(live(many.writtenAt(NOW - 60_000)), NOW).jobs()).hasSize(1);
  }

  @Test
  void onlyTheShareOfKeysThatOthersDoNotHaveCounts() {
    MadeUp many = table(1).tombstones(500, OLD_SECONDS).tokens(0, 1000);
    // 50 % of 59 % is more than 20 %, 50 % of 39 % is not.
    assertThat(strategy.plan(live(many, table(2).mib(1).tokens(590, 5000)), NOW).jobs()).hasSize(1);
    assertThat(strategy.plan(live(many, table(2).mib(1).tokens(390, 5000)), NOW).jobs()).isEmpty();
  }

  @Test
  void whatHasExpiredAsAWholeIsDroppedTogether() {
    LiveTables live =
        live(
            table(1).expiring(OLD_SECONDS),
            table(2).expiring(OLD_SECONDS),
            table(3).times(3000, 4000));
    Plan plan = strategy.plan(live, NOW);
    assertThat(inputs(plan.jobs())).containsExactly(List.of(1L, 2L));
    assertThat(plan.jobs().get(0).ignoresOverlaps()).isFalse();
    assertThat(plan.debtBytes()).isZero();
  }

  @Test
  void whatMayShadowDataElsewhereIsNotDropped() {
    assertThat(
            strategy
                .plan(live(table(1).expiring(OLD_SECONDS), table(2).times(2000, 4000)), NOW)
                .jobs())
        .isEmpty();
  }

  @Test
  void anExpiredTableThatMustStayCountsAsAnother() {
    // 3 has data that 2 may shadow, and 2 has data that 1 may shadow.
    LiveTables live =
        live(
            table(1).expiring(OLD_SECONDS).times(10, 40),
            table(2).expiring(OLD_SECONDS).times(30, 60),
            table(3).times(50, 80));
    assertThat(strategy.plan(live, NOW).jobs()).isEmpty();
  }

  @Test
  void whatMayShadowAMemtableIsNotDropped() {
    LiveTables live = live(table(1).expiring(OLD_SECONDS).times(10, 40));
    assertThat(strategy.plan(live, NOW).jobs()).hasSize(1);
    assertThat(strategy.plan(new LiveTables(live.tables(), live.partitioner(), 40, 0), NOW).jobs())
        .isEmpty();
  }

  @Test
  void onlyRepairedTablesArePurgedIfAskedFor() {
    Strategy repairedOnly = strategy(NAME, "only_purge_repaired_tombstones", "true");
    MadeUp expired = table(1).expiring(OLD_SECONDS).tokens(100, 200);
    MadeUp many = table(2).tombstones(300, OLD_SECONDS).tokens(1, 2).times(5000, 6000);
    assertThat(repairedOnly.plan(live(expired, many), NOW).jobs()).isEmpty();
    assertThat(inputs(repairedOnly.plan(live(expired.repaired(), many.repaired()), NOW).jobs()))
        .containsExactly(List.of(1L), List.of(2L));
  }

  @Test
  void tombstonesOfOtherTablesAreNoMatterOfThePlan() {
    Plan plan = strategy(NAME, "provide_overlapping_tombstones", "row").plan(live(table(1)), NOW);
    assertThat(plan.remarks()).isEqualTo(strategy.plan(live(table(1)), NOW).remarks());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strategy(NAME, "provide_overlapping_tombstones", "all"))
        .withMessageContaining("provide_overlapping_tombstones = all, allowed NONE, ROW, CELL");
  }

  @Test
  void nothingIsDoneIfDisabledButOnDemand() {
    Strategy disabled = strategy(NAME, "enabled", "false");
    LiveTables live = live(table(1), table(2), table(3), table(4));
    Plan plan = disabled.plan(live, NOW);
    assertThat(plan.jobs()).isEmpty();
    assertThat(plan.remarks()).containsExactly("no job is planned: enabled = false");
    assertThat(inputs(disabled.major(live, false, NOW))).containsExactly(List.of(1L, 2L, 3L, 4L));
  }

  @Test
  void aMajorCompactionMayBeSplit() {
    LiveTables live = live(table(1), table(2).mib(5), table(3).claimed());
    List<Job> jobs = strategy.major(live, true, NOW);
    assertThat(inputs(jobs)).containsExactly(List.of(1L, 2L));
    assertThat(jobs.get(0).split()).isEqualTo(new Split.Halving(50_000_000));
    assertThat(strategy.major(live, false, NOW).get(0).split()).isEqualTo(Split.NONE);
    assertThat(strategy.major(live(), false, NOW)).isEmpty();
  }
}
