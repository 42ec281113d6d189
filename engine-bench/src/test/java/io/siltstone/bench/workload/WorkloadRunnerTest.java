package io.siltstone.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.schema.TableOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadRunnerTest {
  @TempDir Path path;

  private static final ProfileOptions SMALL = ProfileOptions.DEFAULT.withValue(new BookValue(3, 9));

  static Stream<String> names() {
    return Profile.names().stream();
  }

  /** Opens a database with small memtables, so that reads merge flushed and compacted SSTables. */
  private Database open() throws IOException {
    return Database.open(path, DatabaseOptions.builder().memtableBytes(1 << 20).build());
  }

  private static Profile small(String name) {
    ProfileOptions options = SMALL.withPartitions(name.equals("Wide") ? 3 : 200);
    return Profile.of(name, name.equals("Wide") ? options.withRows(300) : options);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyReadOfAProfileIsRight(String name) throws IOException {
    Profile profile = small(name);
    try (Database database = open()) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadRunner workloadRunner =
          new WorkloadRunner(
              profile,
              database,
              table,
              WorkloadOptions.builder()
                  .threads(4)
                  .operations(22_000)
                  .distribution(KeyDistribution.ZIPF)
                  .build());

      WorkloadResult populated = workloadRunner.populate(sample -> {});
      assertThat(populated.failures().first()).isEmpty();
      assertThat(populated.writes().nanos().getTotalCount())
          .isEqualTo(profile.items() * profile.versionsToPopulate());

      WorkloadResult result = workloadRunner.run(sample -> {});
      assertThat(result.failures().first()).isEmpty();
      assertThat(result.operations()).isEqualTo(22_000);
      assertThat(result.reads().nanos().getTotalCount()).isBetween(10_000L, 12_000L);
      assertThat(result.rowsRead()).isPositive();
      assertThat(result.allocatedBytes()).isPositive();
      assertThat(result.samples().stream().mapToLong(WorkloadSample::operations).sum())
          .isEqualTo(22_000);
      while (table.statistics().traffic().flushes() == 0) {
        // The flush that the workload has caused may not have ended; without one the test times
        // out.
        Thread.onSpinWait();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatIsLostIsFound(String name) throws IOException {
    Profile profile = small(name);
    try (Database database = open()) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadRunner workloadRunner = new WorkloadRunner(profile, database, table, reads(1_000));
      workloadRunner.populate(sample -> {});
      for (long partition = 0; partition < 200; partition++) {
        Object key = name.equals("KeyValue") || name.equals("Updates") ? "" + partition : partition;
        if (table.schema().clusteringColumns().isEmpty()) {
          table.write(table.mutation(key).deletePartition().build());
        } else {
          table.write(table.mutation(key).deleteRange(ClusteringRange.all()).build());
        }
      }
      WorkloadResult result = workloadRunner.run(sample -> {});
      assertThat(result.failures().errors()).isZero();
      assertThat(result.failures().wrongReads()).isEqualTo(1_000);
      assertThat(result.failures().first()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatIsChangedIsFound(String name) throws IOException {
    Profile profile = small(name);
    try (Database database = open()) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadRunner workloadRunner = new WorkloadRunner(profile, database, table, reads(1_000));
      workloadRunner.populate(sample -> {});
      WorkloadRunner other =
          new WorkloadRunner(
              Profile.of(name, profile.options().withValue(new BookValue(1, 2))),
              database,
              table,
              WorkloadOptions.builder().threads(1).build());
      other.populate(sample -> {});
      WorkloadResult result = workloadRunner.run(sample -> {});
      assertThat(result.failures().wrongReads()).isGreaterThan(950);
    }
  }

  @Test
  void rowsFromBeforeAreCheckedByTheirContentAlone() throws IOException {
    Profile profile = small("KeyValue");
    for (int i = 0; i < 3; i++) {
      try (Database database = open()) {
        Table table = profile.table(database, TableOptions.DEFAULT);
        WorkloadOptions options =
            WorkloadOptions.builder().threads(2).operations(2_000).checked(false).build();
        WorkloadResult result =
            new WorkloadRunner(profile, database, table, options).run(sample -> {});
        assertThat(result.failures().first()).isEmpty();
      }
    }
  }

  @Test
  void rateLimitsOperations() throws IOException {
    Profile profile = small("KeyValue");
    try (Database database = open()) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadOptions options =
          WorkloadOptions.builder().threads(2).operations(400).opsPerSecond(1_000).build();
      WorkloadResult result =
          new WorkloadRunner(profile, database, table, options).run(sample -> {});
      assertThat(result.operations()).isEqualTo(400);
      // The last operation is due after 399 ms.
      assertThat(result.seconds()).isGreaterThanOrEqualTo(0.399);
    }
  }

  @Test
  void whatCouldNotBeginInTimeCounts() throws IOException {
    Profile profile = small("KeyValue");
    try (Database database = open()) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadOptions options =
          WorkloadOptions.builder()
              .threads(1)
              .readRate(0.25)
              .opsPerSecond(10_000_000)
              .duration(Duration.ofMillis(100))
              .build();
      WorkloadResult result =
          new WorkloadRunner(profile, database, table, options).run(sample -> {});
      // No engine does ten million operations per second with one thread.
      assertThat(result.missed()).isPositive();
      assertThat(result.operations() + result.missed()).isEqualTo(1_000_000);
      assertThat(result.reads().nanos().getTotalCount() + result.writes().nanos().getTotalCount())
          .isEqualTo(1_000_000);
      assertThat((double) result.reads().missed() / result.missed()).isBetween(0.2499, 0.2501);
    }
  }

  @Test
  void stopEndsARunWithWhatThereIs() throws IOException {
    Profile profile = small("KeyValue");
    try (Database database = open()) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadOptions options =
          WorkloadOptions.builder().threads(2).interval(Duration.ofMillis(20)).build();
      WorkloadRunner workloadRunner = new WorkloadRunner(profile, database, table, options);
      WorkloadResult result = workloadRunner.run(sample -> workloadRunner.stop());
      assertThat(result.operations()).isPositive();
      assertThat(result.isRight()).isTrue();
      assertThat(workloadRunner.run(sample -> {}).operations()).isZero();
    }
  }

  private static WorkloadOptions reads(long count) {
    return WorkloadOptions.builder().threads(1).readRate(1).operations(count).build();
  }
}
