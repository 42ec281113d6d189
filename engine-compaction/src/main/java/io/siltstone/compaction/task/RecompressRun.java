package io.siltstone.compaction.task;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.spi.Claim;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableRewriter;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Rewrites each input with the table's present compression, without parsing rows. Runs once. */
final class RecompressRun {
  private final Claim claim;
  private final TaskOptions options;
  private final TaskProgress progress;

  RecompressRun(Claim claim, TaskOptions options, TaskProgress progress) {
    this.claim = claim;
    this.options = options;
    this.progress = progress;
  }

  JobReport run() throws IOException {
    List<SSTable> inputs = claim.inputs();
    DiskReservations.Reservation room = options.reserve(inputs, progress);
    try (room) {
      return recompress(inputs);
    }
  }

  private JobReport recompress(List<SSTable> inputs) throws IOException {
    progress.begin(inputs.stream().mapToLong(SSTable::dataLength).sum());
    SharedProgress shared = new SharedProgress(progress);
    List<SSTableRewriter> copies = new ArrayList<>();
    for (SSTable input : inputs) {
      SSTableRewriter copy =
          claim.newCopy(
              input,
              options.level(),
              options.resources().executors(),
              options.resources().outputVerification());
      copies.add(copy);
      copy.copy(
          options.resources().access(shared, 1),
          bytes -> {
            shared.wrote(bytes);
            shared.read(bytes);
          });
      copy.finish();
    }
    progress.check();
    claim.commit();
    long bytes = inputs.stream().mapToLong(SSTable::dataLength).sum();
    long partitions = sum(inputs, stats -> stats.partitionSizes().count());
    long rows = sum(inputs, StatsMetadata::totalRows);
    return new JobReport(
        copies.stream().map(SSTableRewriter::descriptor).toList(),
        List.of(),
        List.of(),
        new JobReport.Volume(
            inputs.stream().mapToLong(SSTable::onDiskLength).sum(), bytes, partitions, rows),
        new JobReport.Volume(
            copies.stream().mapToLong(SSTableRewriter::onDiskLength).sum(),
            bytes,
            partitions,
            rows),
        List.of(partitions),
        List.of(rows),
        JobReport.Purged.NOTHING,
        List.of());
  }

  private interface Figure {
    long of(StatsMetadata stats);
  }

  private static long sum(List<SSTable> inputs, Figure figure) {
    return inputs.stream().mapToLong(input -> figure.of(input.statistics().stats())).sum();
  }
}
