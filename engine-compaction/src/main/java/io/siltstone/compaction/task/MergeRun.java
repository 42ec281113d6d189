package io.siltstone.compaction.task;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.RowsBelowFloor;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.CardinalityEstimator;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the merge of a {@link CompactionTask}: drops fully expired inputs, merges the others by
 * token ranges, checks the counters and commits. Runs once.
 */
final class MergeRun {
  private final Claim claim;
  private final TaskOptions options;
  private final TaskProgress progress;
  private final StageProbes stageProbes;
  private final String name;
  private final @Nullable RetentionFloor floor;
  private final @Nullable KeyRangeDeletions keyRanges;

  MergeRun(Claim claim, TaskOptions options, TaskProgress progress, StageProbes stageProbes) {
    this.stageProbes = stageProbes;
    this.claim = claim;
    this.options = options;
    this.progress = progress;
    this.name = "compaction of " + claim.inputs();
    // A rewrite leaves nothing out, not even what is hidden.
    this.floor = options.kind().isPurging() ? claim.retentionFloor() : null;
    this.keyRanges = options.kind().isPurging() ? claim.keyRanges() : null;
  }

  JobReport run() throws IOException {
    List<SSTable> inputs = new ArrayList<>(claim.inputs());
    // The newest SSTable comes last. Timestamps decide, as generations say nothing about imported
    // SSTables.
    inputs.sort(
        Comparator.comparingLong((SSTable input) -> stats(input).maxTimestamp())
            .thenComparing(input -> input.descriptor().toString()));
    List<SSTable> hidden = belowFloor(inputs);
    List<SSTable> read = new ArrayList<>(inputs);
    read.removeAll(hidden);
    List<SSTable> deleted = deleted(read);
    read.removeAll(deleted);
    List<SSTable> expired =
        ExpiredInputs.find(read, claim, options.gcBefore(), options.ignoresOverlaps(), mayPurge());
    read.removeAll(expired);
    expired.addAll(hidden);
    expired.addAll(deleted);
    DiskReservations.Reservation room = options.reserve(read, progress);
    try (room) {
      return merge(new Dropped(expired, hidden), read);
    }
  }

  /**
   * The inputs that are dropped without being read.
   *
   * @param all fully expired ones, hidden ones, and deleted ones
   * @param hidden those of which the retention floor hides all
   */
  private record Dropped(List<SSTable> all, List<SSTable> hidden) {}

  /** Returns the inputs of which the retention floor hides all. */
  private List<SSTable> belowFloor(List<SSTable> inputs) {
    RetentionFloor present = floor;
    return present == null
        ? List.of()
        : inputs.stream().filter(input -> RowsBelowFloor.areAll(input, present)).toList();
  }

  /** Returns the inputs of which the deletion of a range of keys has deleted all. */
  private List<SSTable> deleted(List<SSTable> inputs) {
    KeyRangeDeletions present = keyRanges;
    return present == null
        ? List.of()
        : inputs.stream().filter(input -> isDeleted(input, present)).toList();
  }

  private static boolean isDeleted(SSTable input, KeyRangeDeletions ranges) {
    return ranges.covers(input.firstKey(), input.lastKey(), stats(input).maxTimestamp());
  }

  private JobReport merge(Dropped dropped, List<SSTable> read) throws IOException {
    progress.begin(read.stream().mapToLong(SSTable::dataLength).sum());
    StageCounters stageCounters = new StageCounters(read.size());
    List<SSTableWriter> writers = new ArrayList<>();
    if (!read.isEmpty()) {
      SharedProgress shared = new SharedProgress(progress);
      OutputHints hints = hints(read);
      List<Subcompaction> subcompactions =
          SubcompactionRange.divide(read, options.split(), options.resources().subCompactions())
              .stream()
              .map(
                  range ->
                      new Subcompaction(
                          claim,
                          options,
                          mayPurge(),
                          floor,
                          keyRanges,
                          read,
                          range,
                          hints,
                          shared,
                          stageProbes))
              .toList();
      writers.addAll(
          new SubcompactionRunner(subcompactions, shared)
              .run(options.resources().executors().work()));
      subcompactions.forEach(subcompaction -> stageCounters.add(subcompaction.stageCounters()));
    }
    checkInputs(read, stageCounters);
    stageCounters.check(name);
    progress.check();
    if (keyRanges != null) {
      claim.leftOut(keyRanges, mayPurge() ? options.gcBefore() : Long.MIN_VALUE);
    }
    claim.commit(read.stream().mapToLong(SSTable::onDiskLength).sum());
    return report(dropped, read, writers, stageCounters);
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }

  /**
   * Returns whether tombstones may be purged: not by a rewrite, and not with {@code
   * only_purge_repaired_tombstones} if an input is unrepaired.
   */
  private boolean mayPurge() {
    return options.kind().isPurging()
        && (!options.schema().options().purgesOnlyRepaired()
            || claim.inputs().stream().allMatch(input -> stats(input).repair().isRepaired()));
  }

  private OutputHints hints(List<SSTable> read) {
    CardinalityEstimator keys = new CardinalityEstimator();
    long atMost = 0;
    RepairState repair = stats(read.get(0)).repair();
    for (SSTable input : read) {
      keys.add(input.statistics().compaction().cardinality());
      atMost += stats(input).partitionSizes().count();
      repair = repair.mergedWith(stats(input).repair());
    }
    return OutputHints.of(
            OutputHeader.of(options.schema(), read), Math.max(1, Math.min(atMost, keys.estimate())))
        .withLevel(options.level())
        .withRepair(repair)
        .withExecutors(options.resources().executors())
        .withOutputVerification(options.resources().outputVerification());
  }

  /** Checks that as much was read of each input as its statistics state. */
  private void checkInputs(List<SSTable> read, StageCounters stageCounters) throws IOException {
    List<Descriptor> wrong = new ArrayList<>();
    StringBuilder figures = new StringBuilder();
    for (int i = 0; i < read.size(); i++) {
      StageCounters.Flow flow = stageCounters.read(i);
      StatsMetadata stats = stats(read.get(i));
      long partitions = stats.partitionSizes().count();
      if (flow.partitions != partitions
          || (flow.rows != stats.totalRows()
              && !Overcount.explains(read.get(i), flow.rows, progress))) {
        wrong.add(read.get(i).descriptor());
        figures
            .append(": of ")
            .append(read.get(i))
            .append(" read ")
            .append(flow)
            .append(", its statistics state ")
            .append(partitions)
            .append(" partitions, ")
            .append(stats.totalRows())
            .append(" rows");
      }
    }
    if (!wrong.isEmpty()) {
      throw new CompactionCheckException(
          name + figures + "; nothing was changed, a scrub rewrites such an SSTable", wrong);
    }
  }

  private JobReport report(
      Dropped dropped,
      List<SSTable> read,
      List<SSTableWriter> writers,
      StageCounters stageCounters) {
    return new JobReport(
        writers.stream().map(SSTableWriter::descriptor).toList(),
        dropped.all().stream().map(SSTable::descriptor).toList(),
        dropped.hidden().stream().map(SSTable::descriptor).toList(),
        new JobReport.Volume(
            read.stream().mapToLong(SSTable::onDiskLength).sum(),
            read.stream().mapToLong(SSTable::dataLength).sum(),
            stageCounters.read().partitions,
            stageCounters.read().rows),
        new JobReport.Volume(
            writers.stream().mapToLong(SSTableWriter::onDiskLength).sum(),
            writers.stream().mapToLong(SSTableWriter::dataLength).sum(),
            stageCounters.written.partitions,
            stageCounters.written.rows),
        bySources(stageCounters.partitionsBySources(), read.size()),
        bySources(stageCounters.rowsBySources(), read.size()),
        new JobReport.Purged(
            stageCounters.tombstonesPurged,
            stageCounters.tombstonesKeptForGrace,
            stageCounters.tombstonesKeptForOverlap,
            stageCounters.tombstonesNotPurgeable,
            stageCounters.expiredCells,
            stageCounters.purged.partitions,
            stageCounters.purged.rows),
        List.of());
  }

  private static List<Long> bySources(long[] counts, int most) {
    return Arrays.stream(Arrays.copyOf(counts, most + 1)).skip(1).boxed().toList();
  }
}
