package io.siltstone.compaction;

import static io.siltstone.compaction.strategy.MadeUp.NOW;
import static io.siltstone.compaction.strategy.MadeUp.live;
import static io.siltstone.compaction.strategy.MadeUp.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.siltstone.compaction.strategy.Job;
import io.siltstone.compaction.strategy.MadeUp;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestPlannerTest {
  private static final FormatVersion VERSION = FormatVersion.of("oa");
  private static final TableSchema LEVELED =
      MadeUp.schema("LeveledCompactionStrategy", 0, "sstable_size_in_mb", "100");

  private static Set<Descriptor> named(long... generations) {
    return Arrays.stream(generations)
        .mapToObj(generation -> Descriptor.of(VERSION, generation))
        .collect(Collectors.toSet());
  }

  private static RequestPlanner.Planned plan(
      TableSchema schema, CompactionRequest request, LiveTables live) {
    return new RequestPlanner(schema, () -> StrategyRegistry.of(schema), VERSION, () -> null, NOW)
        .plan(request, live);
  }

  private static List<Job> jobs(CompactionRequest request, LiveTables live) {
    return plan(LEVELED, request, live).jobs().stream().map(JobSpec::job).toList();
  }

  private static Job userDefined(LiveTables live, long... generations) {
    List<Job> jobs =
        jobs(CompactionRequest.of(Operation.USER_DEFINED).withTables(named(generations)), live);
    assertThat(jobs).hasSize(1);
    return jobs.get(0);
  }

  @Test
  void aTrainingOfADictionaryIsPlannedOnlyWhereThereCanBeOne() {
    CompactionRequest training = CompactionRequest.of(Operation.TRAIN_DICTIONARY).dryRun();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(LEVELED, training, live(table(1).mib(60))))
        .withMessageContaining("the table has no compressor that takes a dictionary");
    TableSchema taking =
        LEVELED.withOptions(
            LEVELED.options().toBuilder()
                .compression(
                    CompressionOptions.fromMap(Map.of("class", "ZstdDictionaryCompressor")))
                .build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(taking, training, live(table(1).mib(60))))
        .withMessage("SSTables of version oa cannot have a compression dictionary");
  }

  @Test
  void aMajorCompactionOfSomeLeavesTheLevelsOfTheOthersAlone() {
    LiveTables live =
        live(
            table(1).mib(60).tokens(0, 1000),
            table(2).mib(100).level(1).tokens(0, 300),
            table(3).mib(100).level(1).tokens(400, 600));
    CompactionRequest all = CompactionRequest.of(Operation.MAJOR);
    assertThat(MadeUp.inputs(jobs(all, live))).containsExactly(List.of(1L, 2L, 3L));
    assertThat(jobs(all, live).get(0).level()).isEqualTo(1);

    CompactionRequest ofRange =
        all.withRange(
            new PartitionRange(PartitionKey.of(new byte[0], 0), PartitionKey.of(new byte[0], 350)));
    CompactionRequest ofNamed = all.withTables(named(1, 2));
    for (CompactionRequest some : List.of(ofRange, ofNamed)) {
      assertThat(MadeUp.inputs(jobs(some, live))).containsExactly(List.of(1L, 2L));
      assertThat(jobs(some, live).get(0).level()).isEqualTo(2);
    }
    assertThat(jobs(all.withTables(named(2)), live).get(0).level()).isEqualTo(1);
  }

  @Test
  void whatLiesOutsideOfTheRangeIsCounted() {
    LiveTables live = live(table(1).tokens(0, 10), table(2).tokens(20, 30), table(3).tokens(5, 7));
    CompactionRequest all = CompactionRequest.of(Operation.MAJOR);
    RequestPlanner.Planned one = plan(LEVELED, all.withRange(PartitionRange.ofTokens(8, 30)), live);
    assertThat(one.remarks()).containsExactly("1 SSTable has no partition of the requested range");
    RequestPlanner.Planned none =
        plan(LEVELED, all.withRange(PartitionRange.ofTokens(31, Long.MAX_VALUE)), live);
    assertThat(none.jobs()).isEmpty();
    assertThat(none.remarks())
        .containsExactly("3 SSTables have no partition of the requested range");
    assertThat(plan(LEVELED, all, live).remarks()).isEmpty();
  }

  @Test
  void aUserDefinedCompactionStaysOnItsLevelIfNothingLiesBetween() {
    LiveTables live =
        live(
            table(1).level(2).tokens(0, 100),
            table(2).level(2).tokens(200, 300),
            table(3).level(2).tokens(400, 500),
            table(4).level(1).tokens(0, 1000));
    assertThat(userDefined(live, 1, 2).level()).isEqualTo(2);
    assertThat(userDefined(live, 1, 2, 3).level()).isEqualTo(2);
    assertThat(userDefined(live, 2).level()).isEqualTo(2);
    assertThat(userDefined(live, 1, 3).level()).as("another lies between").isZero();
    assertThat(userDefined(live, 1, 4).level()).as("of two levels").isZero();
  }

  @Test
  void aUserDefinedCompactionKeepsStatesOfRepairApart() {
    LiveTables live =
        live(
            table(1),
            table(2).repaired(),
            table(3).pendingRepair(),
            table(4),
            table(5).repaired(),
            table(6).pendingRepair());
    CompactionRequest request = CompactionRequest.of(Operation.USER_DEFINED);
    RequestPlanner.Planned planned =
        plan(LEVELED, request.withTables(named(1, 2, 3, 4, 5, 6)), live);
    assertThat(MadeUp.inputs(planned.jobs().stream().map(JobSpec::job).toList()))
        .containsExactly(List.of(1L, 4L), List.of(2L, 5L), List.of(3L, 6L));
    assertThat(planned.remarks())
        .containsExactly(
            "the SSTables are in 3 repair states, which are not merged with each other");
    assertThat(plan(LEVELED, request.withTables(named(3, 6)), live).remarks()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"MAJOR", "RELEVEL"})
  void whatNoStrategyHasForItsStateOfRepairIsNamed(Operation operation) {
    LiveTables live =
        live(
            table(1).mib(100).tokens(0, 100).times(1, 10).pendingRepair(),
            table(2).mib(100).level(1).tokens(50, 200).times(1, 20).pendingRepair());
    CompactionRequest request = CompactionRequest.of(operation);
    String why =
        " left alone: part of a repair that has not ended, or of a transient replica; only a"
            + " user-defined compaction merges these";
    RequestPlanner.Planned both = plan(LEVELED, request, live);
    assertThat(both.jobs()).isEmpty();
    assertThat(both.remarks()).containsExactly("[oa-1-big, oa-2-big] are" + why);
    assertThat(plan(LEVELED, request.withTables(named(2)), live).remarks())
        .containsExactly("[oa-2-big] is" + why);
  }

  @ParameterizedTest
  @EnumSource(value = Operation.class, mode = EnumSource.Mode.EXCLUDE, names = "TRAIN_DICTIONARY")
  void optionsOfTheStrategyMatterOnlyToWhatAsksIt(Operation operation) {
    TableSchema ofOtherVersion =
        MadeUp.schema("LeveledCompactionStrategy", 0, "cold_reads_to_omit", "0.05");
    CompactionRequest request = CompactionRequest.of(operation).withTables(named(1));
    Callable<?> planned = () -> plan(ofOtherVersion, request, live(table(1)));
    if (operation == Operation.MAJOR || operation == Operation.RELEVEL) {
      assertThatIllegalArgumentException()
          .isThrownBy(planned::call)
          .withMessageContaining("unknown option cold_reads_to_omit");
    } else {
      assertThatCode(planned::call).doesNotThrowAnyException();
    }
  }

  @Test
  void whatIsOfAVersionThatIsOnlyReadIsRewrittenRatherThanCopied() {
    TableSchema schema =
        LEVELED.withOptions(
            LEVELED.options().toBuilder().compression(CompressionOptions.NONE).build());
    LiveTables live =
        live(
            table(1).mib(100).tokens(0, 100).times(1, 10).version("na"),
            table(2).mib(100).level(1).tokens(50, 200).times(1, 20));
    for (Operation operation : List.of(Operation.RECOMPRESS, Operation.RELEVEL)) {
      assertThat(plan(schema, CompactionRequest.of(operation), live).jobs())
          .as("%s", operation)
          .extracting(JobSpec::kind)
          .containsExactly(Kind.REWRITE, Kind.RECOMPRESS);
    }
    assertThat(jobs(CompactionRequest.of(Operation.RELEVEL), live))
        .extracting(Job::level)
        .containsExactly(1, 0);
  }

  @Test
  void levelsOfSomeAreGivenAnewAroundTheOthers() {
    LiveTables live =
        live(
            table(1).mib(100).tokens(0, 100).times(1, 10),
            table(2).mib(100).level(1).tokens(50, 200).times(1, 20));
    CompactionRequest request = CompactionRequest.of(Operation.RELEVEL);
    List<Job> all = jobs(request, live);
    assertThat(MadeUp.inputs(all)).containsExactly(List.of(1L), List.of(2L));
    assertThat(all).extracting(Job::level).containsExactly(1, 0);
    // The merge would belong to level 1, where the other SSTable stays.
    assertThat(jobs(request.withTables(named(1)), live)).isEmpty();
    assertThat(jobs(request.withTables(named(2)), live)).extracting(Job::level).containsExactly(0);
  }
}
