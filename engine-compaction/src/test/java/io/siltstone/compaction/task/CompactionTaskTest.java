package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.compaction.task.TaskOptions.Kind;
import io.siltstone.compaction.task.TaskOptions.OverlappingTombstones;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.UnfilteredEncoder;
import io.siltstone.files.ReadThrottle;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.mutation.MutationBuilder;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.spi.Claim;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.TombstoneHistogram;
import io.siltstone.testkit.Fault;
import io.siltstone.testkit.FaultyDirectory;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of tasks by example, and what they leave when they fail. */
class CompactionTaskTest {
  private static final long SEED = Long.getLong("siltstone.seed", 5);
  private static final int SCALE = Integer.getInteger("siltstone.scale", 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryDirectory disk = new MemoryDirectory();

  private TaskTables open() throws IOException {
    return TaskTables.open(disk, leaks.memory());
  }

  private static Descriptor rows(TaskTables tables, int keys, int from, int to) throws IOException {
    return tables.flush(
        writes -> {
          for (int key = 0; key < keys; key++) {
            for (int c = from; c < to; c++) {
              int row = c;
              // Does not compress well.
              long value = new SplittableRandom(31L * key + c).nextLong();
              writes.at(100 + c, key, b -> b.insert(row).set("v", Long.toHexString(value)));
            }
          }
        });
  }

  @Test
  void tellsHowManySourcesWereMerged() throws IOException {
    try (TaskTables tables = open()) {
      rows(tables, 10, 0, 4);
      rows(tables, 5, 2, 6);
      rows(tables, 1, 3, 4);
      List<String> content = tables.content();
      JobReport report = tables.compact(tables.live(), tables.options(0).build());
      assertThat(report.partitionsMerged()).containsExactly(5L, 4L, 1L);
      assertThat(report.rowsMerged()).containsExactly(40L, 9L, 1L);
      assertThat(report.read().partitions()).isEqualTo(16);
      assertThat(report.written().partitions()).isEqualTo(10);
      assertThat(report.read().rows()).isEqualTo(61);
      assertThat(report.written().rows()).isEqualTo(50);
      assertThat(report.outputs()).isEqualTo(List.copyOf(tables.live())).hasSize(1);
      assertThat(tables.only().partitions()).isEqualTo(10);
      assertThat(tables.content()).isEqualTo(content);
    }
  }

  @Test
  void tombstonesStayForGraceOrForWhatTheyShadowAndGoOtherwise() throws IOException {
    try (TaskTables tables = open()) {
      Descriptor old = tables.flush(writes -> writes.at(5, 1, b -> b.insert(1).set("v", "old")));
      Descriptor dead =
          tables.flush(
              writes -> {
                writes.at(10, 1, b -> b.deleteRow(1));
                writes.at(10, 2, b -> b.deletePartition());
                writes.at(10, 3, b -> b.deleteRange(ClusteringRange.all().from(1).to(2)));
                writes.at(10, 4, b -> b.update(1).delete("m"));
                writes.at(10, 5, b -> b.update(1).delete("v"));
              });
      JobReport young = tables.compact(Set.of(dead), tables.options(100).build());
      assertThat(young.purge()).isEqualTo(new JobReport.Purged(0, 6, 0, 0, 0, 0, 0));
      JobReport shadowing =
          tables.compact(Set.copyOf(young.outputs()), tables.options(101).build());
      assertThat(shadowing.purge()).isEqualTo(new JobReport.Purged(5, 0, 1, 0, 0, 4, 2));
      assertThat(tables.live()).contains(old).hasSize(2);
      JobReport all = tables.compact(tables.live(), tables.options(101).build());
      assertThat(all.outputs()).isEmpty();
      assertThat(tables.live()).isEmpty();
    }
  }

  /** Source: Cassandra {@code Upgrader.UpgradeController}, {@code SSTableSplitter}. */
  @Test
  void aRewritePurgesNothing() throws IOException {
    try (TaskTables tables = open()) {
      tables.flush(
          writes -> {
            writes.at(10, 1, b -> b.deleteRow(1));
            writes.at(10, 2, b -> b.deletePartition());
          });
      JobReport report =
          tables.compact(tables.live(), tables.options(10_000).kind(Kind.REWRITE).build());
      assertThat(report.purge()).isEqualTo(new JobReport.Purged(0, 0, 0, 2, 0, 0, 0));
      assertThat(report.expired()).isEmpty();
      assertThat(tables.only().partitions()).isEqualTo(2);
    }
  }

  @Test
  void nothingDeadIsLeftOfAllThatIsOldEnough() throws IOException {
    for (long seed = SEED; seed < SEED + 10L * SCALE; seed++) {
      Random random = new Random(seed);
      try (TaskTables tables = TaskTables.open(new MemoryDirectory(), leaks.memory())) {
        for (int table = 1 + random.nextInt(4); table > 0; table--) {
          tables.flush(
              writes -> {
                for (int i = 0; i < 60; i++) {
                  int c = random.nextInt(6);
                  writes.at(random.nextInt(50), random.nextInt(4), change(random, c));
                }
              });
        }
        tables.compact(tables.live(), tables.options(10_000).build());
        for (LiveTable live : tables.set.live().tables()) {
          assertThat(live.minLocalDeletionTime())
              .as("seed %s", seed)
              .isEqualTo(DeletionTime.NO_DELETION_TIME);
        }
        assertThat(tables.content()).as("seed %s", seed).noneMatch(line -> line.contains("BOUND"));
      }
    }
  }

  private static Consumer<MutationBuilder> change(Random random, int c) {
    return switch (random.nextInt(10)) {
      case 0 -> b -> b.deletePartition();
      case 1 -> b -> b.deleteRow(c);
      case 2 -> b -> b.deleteRange(ClusteringRange.all().from(c).before(c + 3));
      case 3 -> b -> b.update(c).delete("v").delete("m");
      case 4 -> b -> b.update(c).set("m", Map.of(c, 1, c + 1, 2));
      case 5 -> b -> b.update(c).remove("m", Set.of(c));
      case 6 -> b -> b.ttl(7).insert(c).set("v", "soon").put("m", c, 3);
      case 7 -> b -> b.ttl(7).update(c).set("w", "soon");
      case 8 -> b -> b.set("s", c);
      default -> b -> b.insert(c).set("v", "stays");
    };
  }

  @Test
  void anExpiredCellBecomesATombstoneBeforeItGoes() throws IOException {
    try (TaskTables tables = open()) {
      tables.flush(
          writes ->
              writes.at(10, 1, b -> b.insert(1).ttl(50).set("v", "soon").ttl(0).set("w", "stays")));
      JobReport report = tables.compact(tables.live(), tables.options(60).build());
      assertThat(report.purge().expiredCells()).isEqualTo(1);
      LiveTable live = tables.only();
      // Deleted when it was written, so that it need not be kept longer than a tombstone.
      assertThat(live.minLocalDeletionTime()).isEqualTo(TaskTables.NOW);
      assertThat(tables.content().toString()).doesNotContain("736f6f6e").contains("7374617973");
      tables.compact(tables.live(), tables.options(101).build());
      assertThat(tables.only().minLocalDeletionTime()).isEqualTo(DeletionTime.NO_DELETION_TIME);
    }
  }

  @Test
  void whatHasExpiredAltogetherIsDroppedWithoutBeingRead() throws IOException {
    try (TaskTables tables = open()) {
      Descriptor old = rows(tables, 1, 0, 1);
      Descriptor expired =
          tables.flush(
              writes -> {
                for (int i = 0; i < 100; i++) {
                  int key = i;
                  writes.at(50, key, b -> b.ttl(10).insert(1).set("v", "x"));
                }
              });
      Descriptor live = rows(tables, 10, 0, 3);
      TaskOptions later = tables.options(200).build();
      // Older than all live data: nothing is shadowed.
      JobReport report = tables.compact(Set.of(expired, live), later);
      assertThat(report.expired()).containsExactly(expired);
      assertThat(report.read().partitions()).isEqualTo(10);
      assertThat(report.read().onDiskBytes()).isPositive();
      assertThat(tables.set.traffic().compactionBytesRead()).isEqualTo(report.read().onDiskBytes());
      assertThat(tables.live()).contains(old);
    }
  }

  @Test
  void whatHasExpiredStaysIfItShadowsSomethingUnlessOverlapsAreIgnored() throws IOException {
    try (TaskTables tables = open()) {
      Descriptor shadowed = tables.flush(writes -> writes.at(5, 1, b -> b.insert(1).set("v", "x")));
      Descriptor expired =
          tables.flush(writes -> writes.at(50, 1, b -> b.ttl(10).insert(1).set("v", "x")));
      JobReport kept = tables.compact(Set.of(expired), tables.options(200).build());
      assertThat(kept.expired()).isEmpty();
      assertThat(kept.purge().keptForOverlap()).isEqualTo(2);
      assertThat(tables.live()).hasSize(2).contains(shadowed);
      JobReport gone =
          tables.compact(
              Set.copyOf(kept.outputs()), tables.options(200).ignoresOverlaps(true).build());
      assertThat(gone.expired()).isEqualTo(kept.outputs());
      assertThat(tables.live()).containsExactly(shadowed);
    }
  }

  @Test
  void unrepairedTombstonesAreNotPurgeableIfTheTableSaysSo() throws IOException {
    try (TaskTables tables = open()) {
      tables.alter(
          "WITH compaction = {'class': 'SizeTieredCompactionStrategy',"
              + " 'only_purge_repaired_tombstones': 'true'}");
      tables.flush(writes -> writes.at(10, 1, b -> b.deleteRow(1)));
      JobReport report = tables.compact(tables.live(), tables.options(1000).build());
      assertThat(report.purge()).isEqualTo(new JobReport.Purged(0, 0, 0, 1, 0, 0, 0));
      assertThat(tables.live()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void repairStatesAreKept(Kind kind) throws IOException {
    Optional<UUID> session = Optional.of(new UUID(0x1000, 1));
    List<RepairState> states =
        List.of(
            RepairState.UNREPAIRED,
            new RepairState(7, Optional.empty(), false),
            new RepairState(0, session, false),
            new RepairState(0, session, true));
    try (TaskTables tables = open()) {
      for (RepairState state : states) {
        Descriptor input = tables.flush(state, writes -> writes.at(1, 1, b -> b.insert(1)));
        JobReport report = tables.compact(Set.of(input), tables.options(0).kind(kind).build());
        assertThat(tables.set.live().tables())
            .filteredOn(table -> report.outputs().contains(table.descriptor()))
            .extracting(LiveTable::repair)
            .containsExactly(state);
      }
    }
  }

  @Test
  void repairedSinceTheEarlierTimeAndNotMergedWithOtherStates() throws IOException {
    try (TaskTables tables = open()) {
      for (long at : new long[] {9, 7, 8}) {
        tables.flush(
            new RepairState(at, Optional.empty(), false),
            writes -> writes.at(at, 1, b -> b.insert(1)));
      }
      tables.compact(tables.live(), tables.options(0).build());
      assertThat(tables.only().repair().repairedAt()).isEqualTo(7);
      tables.flush(writes -> writes.at(1, 1, b -> b.insert(1)));
      assertThatThrownBy(() -> tables.compact(tables.live(), tables.options(0).build()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("states of repair");
    }
  }

  @Test
  void garbageIsWhatOthersHaveDeletedOrWrittenOver() throws IOException {
    for (OverlappingTombstones level : OverlappingTombstones.values()) {
      MemoryDirectory own = new MemoryDirectory();
      try (TaskTables tables = TaskTables.open(own, leaks.memory())) {
        Descriptor garbage =
            tables.flush(
                writes -> {
                  for (int c = 0; c < 10; c++) {
                    int row = c;
                    writes.at(10, 1, b -> b.insert(row).set("v", "old").set("w", "kept"));
                    writes.at(10, 2, b -> b.insert(row).set("v", "old"));
                  }
                });
        Descriptor newer =
            tables.flush(
                writes -> {
                  writes.at(20, 1, b -> b.deleteRange(ClusteringRange.all().from(0).before(5)));
                  writes.at(20, 1, b -> b.deleteRow(5));
                  writes.at(20, 1, b -> b.update(6).set("v", "new"));
                  writes.at(20, 2, b -> b.deletePartition());
                });
        List<String> content = tables.content();
        JobReport report =
            tables.compact(Set.of(garbage), tables.options(0).overlappingTombstones(level).build());
        assertThat(tables.content()).isEqualTo(content);
        Set<Descriptor> outputs = Set.copyOf(report.outputs());
        String left = String.join("\n", tables.content(outputs));
        assertThat(report.written().rows())
            .as("%s: %s", level, left)
            .isEqualTo(level == OverlappingTombstones.NONE ? 20 : 4);
        long olds = left.lines().filter(line -> line.contains("6f6c64")).count();
        assertThat(olds)
            .as("%s: %s", level, left)
            .isEqualTo(
                switch (level) {
                  case NONE -> 20;
                  case ROW -> 4;
                  case CELL -> 3;
                });
        assertThat(tables.live()).contains(newer);
      }
    }
  }

  @Test
  void subcompactionsTogetherWriteWhatOneTaskWrites() throws IOException {
    AtomicInteger helpers = new AtomicInteger();
    Executor threads =
        work -> {
          helpers.incrementAndGet();
          Thread thread = new Thread(work);
          thread.setDaemon(true);
          thread.start();
        };
    for (Split split :
        List.of(
            new Split.BySize(30_000),
            new Split.AtTokens(List.of(Long.MIN_VALUE / 2, 0L, 17L, Long.MAX_VALUE / 2)))) {
      List<List<String>> outputs = new ArrayList<>();
      for (Executor executor : new Executor[] {null, threads, work -> {}}) {
        MemoryDirectory own = new MemoryDirectory();
        try (TaskTables tables = TaskTables.open(own, leaks.memory())) {
          rows(tables, 1000, 0, 8);
          rows(tables, 700, 4, 12);
          List<String> content = tables.content();
          JobReport report =
              tables.compact(
                  tables.live(),
                  tables
                      .options(0)
                      .split(split)
                      .resources(
                          TestResources.parallel(4, new PipelineExecutors(executor, executor)))
                      .build());
          assertThat(report.outputs().size()).isGreaterThan(3);
          assertThat(tables.content()).isEqualTo(content);
          List<String> keys = new ArrayList<>();
          for (LiveTable live : tables.set.live().tables()) {
            keys.add(live.firstKey() + " " + live.lastKey() + " " + live.onDiskBytes());
          }
          outputs.add(keys);
        }
      }
      // In any order of the threads.
      assertThat(outputs.get(1)).isEqualTo(outputs.get(0));
      assertThat(outputs.get(2)).isEqualTo(outputs.get(0));
    }
    assertThat(helpers).hasPositiveValue();
  }

  @Test
  void outputsEndWhereTheSplitSays() throws IOException {
    try (TaskTables tables = open()) {
      rows(tables, 1000, 0, 20);
      long bytes = tables.only().onDiskBytes();
      tables.compact(tables.live(), tables.options(0).split(new Split.Halving(bytes / 10)).build());
      List<Long> sizes =
          tables.set.live().tables().stream()
              .map(LiveTable::onDiskBytes)
              .sorted((a, b) -> Long.compare(b, a))
              .toList();
      assertThat(sizes.size()).isBetween(3, 5);
      assertThat(sizes.get(0)).isBetween(bytes / 4, bytes / 2 + 9000);
      tables.compact(
          tables.live(), tables.options(0).split(new Split.AtTokens(List.of(0L))).build());
      assertThat(tables.set.live().tables()).hasSize(2);
      assertThat(tables.set.live().tables().get(0).lastKey().token()).isLessThanOrEqualTo(0);
      assertThat(tables.set.live().tables().get(1).firstKey().token()).isPositive();
      JobReport one = tables.compact(tables.live(), tables.options(0).level(3).build());
      assertThat(one.outputs()).hasSize(1);
      assertThat(tables.only().level()).isEqualTo(3);
    }
  }

  @Test
  void newerCellsOfADroppedColumnAreThereWhenItComesBack() throws IOException {
    try (TaskTables tables = open()) {
      tables.flush(
          writes -> {
            writes.at(10, 1, b -> b.insert(1).set("v", "x").set("w", "old"));
            writes.at(2_000_000, 1, b -> b.insert(2).set("v", "x").set("w", "new"));
          });
      tables.flush(writes -> writes.at(11, 1, b -> b.insert(3).set("v", "x")));
      tables.alter("DROP w USING TIMESTAMP " + (TaskTables.EPOCH + 1_000_000));
      tables.compact(tables.live(), tables.options(0).build());
      tables.alter("ADD w text");
      assertThat(tables.content().toString())
          .contains("6e6577") // new
          .doesNotContain("6f6c64"); // old
    }
  }

  @Test
  void outputsNameThoseColumnsThatInputsName() throws IOException {
    try (TaskTables tables = open()) {
      Descriptor old = tables.flush(writes -> writes.at(1, 1, b -> b.insert(1).set("v", "x")));
      tables.alter("ADD added text");
      tables.alter("ADD later_static int static");
      tables.compact(Set.of(old), tables.options(0).build());
      assertThat(columns(tables.live())).containsExactly("s", "v", "w", "m");
      Descriptor output = tables.only().descriptor();

      Descriptor fresh = tables.flush(writes -> writes.at(2, 1, b -> b.insert(2).set("v", "y")));
      // As late as the newest cell, which is dropped with it.
      tables.alter("DROP w USING TIMESTAMP " + (TaskTables.EPOCH + 2));
      tables.compact(Set.of(output, fresh), tables.options(0).build());
      assertThat(columns(tables.live())).containsExactly("later_static", "s", "added", "v", "m");
    }
  }

  private List<String> columns(Set<Descriptor> of) throws IOException {
    List<String> names = new ArrayList<>();
    for (Descriptor table : of) {
      try (SSTable opened = SSTable.open(disk, table, SSTableOptions.DEFAULT, leaks.memory())) {
        opened.header().columns(true).forEach(column -> names.add(column.name()));
        opened.header().columns(false).forEach(column -> names.add(column.name()));
      }
    }
    return names;
  }

  @Test
  void aTaskThatIsCancelledInAWidePartitionLeavesItsInputs() throws IOException {
    try (TaskTables tables = open()) {
      rows(tables, 1, 0, 40_000);
      Set<Descriptor> before = tables.live();
      TaskProgress progress = new TaskProgress();
      // As soon as something was read.
      StageProbes stageProbes =
          new StageProbes() {
            @Override
            public PartitionCursor merged(PartitionCursor cursor) {
              progress.cancel();
              return cursor;
            }
          };
      assertThatThrownBy(
              () -> tables.compact(before, tables.options(0).build(), progress, stageProbes))
          .isInstanceOf(CancellationException.class);
      assertThat(progress.bytesRead()).isLessThan(600_000);
      assertThat(progress.bytesTotal()).isGreaterThan(1_100_000);
      assertThat(tables.live()).isEqualTo(before);
    }
  }

  @Test
  void aTaskThatIsPausedGoesOnWhenItIsResumed() throws Exception {
    try (TaskTables tables = open()) {
      rows(tables, 1, 0, 20_000);
      TaskProgress progress = new TaskProgress();
      progress.pause();
      Set<Descriptor> before = tables.live();
      Thread thread =
          new Thread(
              () -> {
                try {
                  tables.compact(before, tables.options(0).build(), progress, StageProbes.NONE);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      thread.start();
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(progress.bytesRead()).isZero();
      progress.resume();
      thread.join();
      assertThat(tables.live()).isNotEqualTo(before).hasSize(1);
      assertThat(progress.bytesRead()).isEqualTo(progress.bytesTotal()).isPositive();
      assertThat(progress.bytesWritten()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MERGE", "SCRUB", "GARBAGE_COLLECT"})
  void aTaskThatIsPausedWaitsInTheMiddleOfAWidePartition(Kind kind) throws Exception {
    try (TaskTables tables = open()) {
      Descriptor wide = rows(tables, 1, 0, 40_000);
      // Garbage is searched in a wide partition.
      Set<Descriptor> inputs =
          kind == Kind.GARBAGE_COLLECT
              ? Set.of(tables.flush(writes -> writes.at(1, 0, b -> b.insert(40_000))))
              : Set.of(wide);
      LiveTable read =
          tables.set.live().tables().stream()
              .filter(table -> table.descriptor().equals(wide))
              .findFirst()
              .orElseThrow();
      long half = read.onDiskBytes() / 2;
      TaskProgress progress = new TaskProgress();
      AtomicLong bytes = new AtomicLong();
      TaskOptions options =
          tables
              .options(0)
              .kind(kind)
              .overlappingTombstones(OverlappingTombstones.CELL)
              .resources(
                  TestResources.reading(
                      0,
                      wanted -> {
                        progress.pause();
                        bytes.addAndGet(wanted);
                        return wanted;
                      }))
              .build();
      Thread thread =
          new Thread(
              () -> {
                try {
                  tables.compact(inputs, options, progress, StageProbes.NONE);
                } catch (CancellationException e) {
                  // It was cancelled.
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      thread.start();
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(bytes.get()).isPositive().isLessThan(half);
      progress.cancel();
      thread.join();
      assertThat(tables.live()).containsAll(inputs);
    }
  }

  /** A disk that is always equally full, whatever is written. */
  private static Directory withSpace(Directory directory, long usable) {
    return new FaultyDirectory(
        directory, 1, Fault.on(Operation.WRITE).files("no such file").noSpaceAfter(usable));
  }

  @Test
  void nothingIsWrittenWithoutRoomForIt() throws IOException {
    try (TaskTables tables = TaskTables.open(withSpace(disk, 17), leaks.memory())) {
      rows(tables, 10, 0, 10);
      List<String> files = disk.files();
      assertThatThrownBy(() -> tables.compact(tables.live(), tables.options(0).build()))
          .isInstanceOf(NotEnoughSpaceException.class)
          .hasMessageContaining(disk.path())
          .hasMessageContaining(tables.only().onDiskBytes() + " bytes")
          .hasMessageContaining("17 are available");
      assertThat(disk.files()).isEqualTo(files);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatIsCompressedOtherwiseMayTakeAsMuchRoomAsItsData(Kind kind) throws IOException {
    LiveTable compressed;
    try (TaskTables tables = open()) {
      rows(tables, 10, 0, 40);
      compressed = tables.only();
    }
    long needed = compressed.dataBytes();
    assertThat(compressed.onDiskBytes()).isLessThan(needed);
    try (TaskTables tables = TaskTables.open(withSpace(disk, needed - 1), leaks.memory())) {
      tables.alter("WITH compression = {'enabled': 'false'}");
      assertThatThrownBy(() -> tables.compact(tables.live(), tables.options(0).kind(kind).build()))
          .isInstanceOf(NotEnoughSpaceException.class)
          .hasMessageContaining(needed + " bytes");
    }
    try (TaskTables tables = TaskTables.open(withSpace(disk, needed), leaks.memory())) {
      tables.alter("WITH compression = {'enabled': 'false'}");
      tables.compact(tables.live(), tables.options(0).kind(kind).build());
      assertThat(tables.only().onDiskBytes()).isEqualTo(needed);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void noTwoTasksCountOnTheSameRoom(Kind kind) throws IOException {
    long bytes;
    try (TaskTables tables = open()) {
      rows(tables, 10, 0, 10);
      bytes = tables.only().onDiskBytes();
    }
    DiskReservations space = new DiskReservations();
    AtomicInteger refused = new AtomicInteger();
    MemoryDirectory second = new MemoryDirectory();
    try (TaskTables tables = TaskTables.open(withSpace(disk, 2 * bytes - 1), leaks.memory());
        TaskTables others = TaskTables.open(withSpace(second, 2 * bytes - 1), leaks.memory())) {
      rows(others, 10, 0, 10);
      TaskOptions options =
          others.options(0).resources(TestResources.sharing(space, ReadThrottle.NONE)).build();
      ReadThrottle whileItRuns =
          wanted -> {
            if (refused.getAndIncrement() == 0) {
              assertThatThrownBy(() -> others.compact(others.live(), options))
                  .isInstanceOf(NotEnoughSpaceException.class)
                  .hasMessageContaining(
                      "of which " + bytes + " are reserved for running compactions");
            }
            return wanted;
          };
      tables.compact(
          tables.live(),
          tables
              .options(0)
              .kind(kind)
              .resources(TestResources.sharing(space, whileItRuns))
              .build());
      assertThat(refused).hasPositiveValue();
      assertThat(others.compact(others.live(), options).written().partitions()).isEqualTo(10);
    }
  }

  @Test
  void aPartitionDeletionThatTheVersionCannotHoldIsAnIoException() throws IOException {
    Set<Descriptor> before;
    try (TaskTables tables = open()) {
      RowEncoding encoding = RowEncoding.of(tables.schema(), EncodingStats.NONE, true);
      try (Claim claim = tables.set.beginFlush(CommitLogIntervals.NONE)) {
        SSTableWriter writer = claim.newOutput(OutputHints.of(encoding.header(), 1));
        byte[] key = new byte[4];
        writer.startPartition(
            PartitionKey.of(key, Partitioner.MURMUR3.token(key, 0, key.length)), 1, 3_500_000_000L);
        writer.endPartition();
        claim.commit();
      }
      before = tables.live();
    }
    try (TaskTables tables = TaskTables.open(FormatVersion.NB, disk, leaks.memory())) {
      assertThatThrownBy(() -> tables.compact(before, tables.options(0).build()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("have data that cannot be written: ")
          .hasMessageContaining("3500000000");
      assertThat(tables.live()).isEqualTo(before);
    }
  }

  @Test
  void noBaseIsKeptThatOnlyFewBytesHave() throws IOException {
    try (TaskTables tables = open()) {
      for (int i = 1; i <= 5; i++) {
        int key = i;
        tables.flush(
            TaskTables.NOW - i, writes -> writes.at(key, key, b -> b.insert(1).set("v", "x")));
      }
      tables.compact(tables.live(), tables.options(0).build());
      try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
        assertThat(claim.inputs())
            .singleElement()
            .extracting(output -> output.header().stats().minLocalDeletionTime())
            .isEqualTo(EncodingStats.DELETION_TIME_EPOCH);
      }
    }
  }

  /** Each time of older data takes nine bytes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBaseIsKeptUnlessAllIsOlder(boolean isAllOlder) throws IOException {
    try (TaskTables tables = open()) {
      for (int i = 0; i < 2; i++) {
        int last = isAllOlder ? -1 : 0;
        tables.flush(
            writes -> {
              for (int row = 0; row < 100; row++) {
                int place = row;
                writes.at(last - 99 + row, row % 7, b -> b.insert(place).set("v", "x"));
              }
            });
      }
      List<String> content = tables.content();
      tables.compact(tables.live(), tables.options(0).kind(Kind.REWRITE).build());
      assertThat(tables.content()).isEqualTo(content);
      assertThat(baseOf(tables)).isEqualTo(isAllOlder ? TaskTables.EPOCH - 100 : TaskTables.EPOCH);
    }
  }

  /** Each with its own base, as flushes of data that is older than the database have it. */
  @ParameterizedTest
  @CsvSource({"110, -300", "1000, -100"})
  void theBaseOfTheLargestIsKeptUnlessTooMuchIsOlder(int newestRows, int base) throws IOException {
    try (TaskTables tables = open()) {
      for (int from = -300; from < 0; from += 100) {
        int first = from;
        tables.flush(
            new EncodingStats(TaskTables.EPOCH + first, TaskTables.NOW, 0),
            writes -> {
              for (int row = 0; row < (first == -100 ? newestRows : 100); row++) {
                int place = row;
                writes.at(first + row % 100, row % 7, b -> b.insert(place).set("v", "x"));
              }
            });
      }
      List<String> content = tables.content();
      tables.compact(tables.live(), tables.options(0).kind(Kind.REWRITE).build());
      assertThat(tables.content()).isEqualTo(content);
      assertThat(baseOf(tables)).isEqualTo(TaskTables.EPOCH + base);
    }
  }

  private static long baseOf(TaskTables tables) throws IOException {
    try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
      return claim.inputs().get(0).header().stats().minTimestamp();
    }
  }

  /**
   * More times than a histogram holds: the last two become one, more than a year before the last.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeletionIsWrittenAlsoIfTheHistogramOfTimesHidesHowLateItIs(boolean isLive)
      throws IOException {
    long last = 4_294_000_020L;
    long apart = 42_900_000;
    long before = last - apart + 60_000;
    List<Long> times = new ArrayList<>(List.of(last));
    for (int i = 0; i < 100; i++) {
      times.add(before);
      times.add(before - i * apart);
    }
    // With the base of most of the bytes, the last time cannot be written.
    long base = last - Integer.MAX_VALUE - 1;
    try (TaskTables tables = open()) {
      tables.flush(
          base,
          writes -> {
            for (int i = 0; i < 1000; i++) {
              int place = i;
              writes.at(i, 2, row -> row.insert(place).set("v", "x".repeat(20)));
            }
          });
      deleteRows(tables, times, isLive);
      TombstoneHistogram histogram;
      try (Claim claim = tables.set.claim(tables.live()).orElseThrow()) {
        histogram =
            claim.inputs().stream()
                .map(input -> input.statistics().stats().tombstoneTimes())
                .filter(all -> all.size() > 0)
                .findFirst()
                .orElseThrow();
      }
      assertThat(last - histogram.time(histogram.size() - 1)).isGreaterThan(366 * 24 * 3600);
      List<String> content = tables.content();
      tables.compact(tables.live(), tables.options(0).kind(Kind.REWRITE).build());
      assertThat(tables.content()).isEqualTo(content).anyMatch(line -> line.contains("@" + last));
    }
  }

  /**
   * Writes an SSTable of one partition, whose rows were deleted at these times, except perhaps one.
   */
  private static void deleteRows(TaskTables tables, List<Long> times, boolean isLive)
      throws IOException {
    RowEncoding encoding = RowEncoding.of(tables.schema(), EncodingStats.ANY, true);
    UnfilteredEncoder encoder = new UnfilteredEncoder(encoding);
    Unfiltered row =
        new Unfiltered(encoding, (index, reason) -> new IOException("a row is wrong: " + reason));
    byte[] key = {0, 0, 0, 1};
    try (Claim claim = tables.set.beginFlush(CommitLogIntervals.NONE)) {
      SSTableWriter writer = claim.newOutput(OutputHints.of(encoding.header(), 1));
      writer.startPartition(
          PartitionKey.of(key, Partitioner.MURMUR3.token(key, 0, key.length)),
          DeletionTime.NO_TIMESTAMP,
          DeletionTime.NO_DELETION_TIME);
      for (int i = 0; i < times.size(); i++) {
        encoder.beginRow();
        encoder.clusteringValue(new byte[] {0, 0, (byte) (i >> 8), (byte) i}, 0, 4);
        encoder.deletion(TaskTables.EPOCH, times.get(i), false);
        if (isLive && i == 1) {
          encoder.liveness(
              TaskTables.EPOCH + 1, DeletionTime.NO_TTL, DeletionTime.NO_DELETION_TIME);
        }
        encoder.finish(0).wrapWith(row);
        writer.add(row);
      }
      writer.endPartition();
      claim.commit();
    }
  }

  @Test
  void recompressionChangesTheCompressionAndNothingElse() throws IOException {
    try (TaskTables tables = open()) {
      rows(tables, 50, 0, 20);
      tables.compact(tables.live(), tables.options(0).level(2).build());
      List<String> content = tables.content();
      LiveTable before = tables.only();
      for (String compression :
          List.of(
              "{'class': 'LZ4Compressor', 'chunk_length_in_kb': 64}",
              "{'enabled': 'false'}",
              "{'class': 'DeflateCompressor', 'chunk_length_in_kb': 16}")) {
        tables.alter("WITH compression = " + compression);
        JobReport report =
            tables.compact(tables.live(), tables.options(0).level(2).kind(Kind.RECOMPRESS).build());
        LiveTable after = tables.only();
        assertThat(report.outputs()).containsExactly(after.descriptor());
        assertThat(after.compression()).isEqualTo(tables.schema().options().compression());
        assertThat(after.dataBytes()).isEqualTo(before.dataBytes());
        assertThat(after.level()).isEqualTo(2);
        assertThat(after.rows()).isEqualTo(before.rows());
        assertThat(tables.content()).isEqualTo(content);
        try (var claim = tables.set.claim(tables.live()).orElseThrow()) {
          claim.inputs().get(0).verifyDigest();
          new io.siltstone.sstable.SSTableVerifier(claim.inputs().get(0)).verify(position -> {});
        }
      }
      assertThat(disk.files())
          .allMatch(name -> name.contains("-" + tables.only().descriptor().id() + "-"));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aFailureAtAnyCallIsToldAndLeavesTheInputs(Kind kind) throws IOException {
    for (Operation operation :
        List.of(
            Operation.CREATE,
            Operation.WRITE,
            Operation.SYNC,
            Operation.RENAME,
            Operation.SYNC_DIRECTORY,
            Operation.APPEND,
            Operation.OPEN,
            Operation.READ,
            Operation.LIST)) {
      for (boolean afterwards : new boolean[] {false, true}) {
        // Some of the many reads and writes; all of them in longer runs.
        int step =
            switch (operation) {
              case READ, OPEN -> SCALE == 1 ? 298 : 1;
              case WRITE -> SCALE == 1 ? 22 : 1;
              default -> SCALE == 1 ? 4 : 1;
            };
        long call = 1;
        while (failsCleanly(kind, operation, call, afterwards)) {
          call += step;
        }
        assertThat(call).as("calls of %s that failed", operation).isGreaterThan(1);
      }
    }
  }

  /** Returns whether the fault occurred, at this many calls after the opening of the tables. */
  private boolean failsCleanly(Kind kind, Operation operation, long call, boolean afterwards)
      throws IOException {
    MemoryDirectory own = new MemoryDirectory();
    List<String> content;
    try (TaskTables tables = TaskTables.open(own, leaks.memory())) {
      rows(tables, 10, 0, 4);
      rows(tables, 5, 2, 6);
      rows(tables, 3, 5, 9);
      content = tables.content();
    }
    Fault none = Fault.on(operation).call(Long.MAX_VALUE).fails("never");
    TaskTables.open(new FaultyDirectory(own, SEED, none), leaks.memory()).close();
    Fault.Rule rule = Fault.on(operation).call(none.calls() + call);
    Fault fault = afterwards ? rule.failsAfterwards("bad sector") : rule.fails("bad sector");
    String what = kind + ", seed " + SEED + ", " + fault;
    try (TaskTables tables =
        TaskTables.open(leaks.watch(new FaultyDirectory(own, SEED, fault)), leaks.memory())) {
      Set<Descriptor> before = tables.live();
      try {
        tables.compact(before, tables.options(0).kind(kind).build());
      } catch (IOException e) {
        assertThat(fault.fired()).as(what).isPositive();
        assertThat(tables.live()).as(what).isEqualTo(before);
      }
    }
    leaks.requireNothingOpen();
    try (TaskTables tables = TaskTables.open(own, leaks.memory())) {
      if (kind == Kind.SCRUB && operation == Operation.READ) {
        // Unreadable data is reported, and its files are quarantined.
        assertThat(content).as(what).containsAll(tables.content());
      } else {
        assertThat(tables.content()).as(what).isEqualTo(content);
      }
      Set<String> ids = new TreeSet<>();
      tables.live().forEach(descriptor -> ids.add(descriptor.id()));
      for (String name : own.files()) {
        assertThat(ids).as("%s: %s", what, name).contains(name.split("-", -1)[1]);
        assertThat(name).as(what).doesNotEndWith(Descriptor.TEMPORARY_SUFFIX);
      }
    }
    return fault.fired() > 0;
  }

  @Test
  @SuppressWarnings("NullAway") // A caller without these checks can pass null.
  void whatATaskNeedsMustBeGiven() throws IOException {
    try (TaskTables tables = open()) {
      TaskOptions.Builder options = tables.options(0);
      Map<String, ThrowingCallable> unset =
          Map.of(
              "kind", () -> options.kind(null),
              "overlappingTombstones", () -> options.overlappingTombstones(null),
              "split", () -> options.split(null),
              "damaged", () -> options.damaged(null),
              "resources", () -> options.resources(null));
      unset.forEach(
          (name, call) ->
              assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name));
    }
  }
}
