package io.siltstone.compaction.task;

import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what can be read of each input to an SSTable of its own, and what is not in order to
 * others. Nothing is purged. The files of inputs of which something is lost are {@linkplain
 * SSTableQuarantine kept}. Runs once, on the caller's thread.
 */
final class ScrubRun {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubRun.class);

  private final Claim claim;
  private final TaskOptions options;
  private final TaskProgress progress;
  private final SharedProgress shared;
  private final List<SSTableWriter> writers = new ArrayList<>();
  private final List<String> losses = new ArrayList<>();
  private final List<SSTable> damaged = new ArrayList<>();
  private final StageCounters.Flow written = new StageCounters.Flow();
  private long partitionsRead;
  private long rowsRead;

  ScrubRun(Claim claim, TaskOptions options, TaskProgress progress) {
    this.claim = claim;
    this.options = options;
    this.progress = progress;
    this.shared = new SharedProgress(progress);
  }

  TaskReport run() throws IOException {
    List<SSTable> inputs = claim.inputs();
    DiskReservations.Promise room = options.promise(inputs, progress);
    try (room) {
      return scrub(inputs);
    }
  }

  private TaskReport scrub(List<SSTable> inputs) throws IOException {
    progress.begin(inputs.stream().mapToLong(SSTable::dataLength).sum());
    for (SSTable input : inputs) {
      scrub(input);
    }
    checkWritten();
    progress.check();
    SSTableQuarantine aside = new SSTableQuarantine();
    try {
      for (SSTable input : damaged) {
        aside.keep(input);
      }
    } catch (Throwable e) {
      aside.undo(e);
      throw e;
    }
    // What it throws does not tell that nothing has happened: the inputs may go all the same, so
    // they stay aside. What is kept needlessly is replaced when they are scrubbed again.
    claim.commit();
    return report(inputs);
  }

  private void scrub(SSTable input) throws IOException {
    StatsMetadata stats = input.statistics().stats();
    OutputHints hints =
        OutputHints.of(input.header(), Math.max(1, stats.partitionSizes().count()))
            .withLevel(options.level())
            .withRepair(stats.repair())
            .withExecutors(options.executors())
            .withOutputVerification(options.outputVerification());
    try (Salvage salvage = new Salvage(input, shared, options, new LateOutputs(hints))) {
      SSTableWriter inOrder = claim.newOutput(hints);
      salvage.copyTo(inOrder);
      List<String> lost = losses(input, salvage);
      if (!lost.isEmpty()) {
        // Other replicas may still have it, and repair passes by what is repaired.
        inOrder.forgetRepair();
        losses.addAll(lost);
        damaged.add(input);
      }
      finish(inOrder);
      if (!salvage.moved().isEmpty()) {
        LOG.warn("{}: {} out of order were put in order", input, salvage.moved());
      }
      written.add(salvage.written());
      partitionsRead += salvage.partitions();
      rowsRead += salvage.rows();
    }
  }

  /**
   * SSTables for what is out of order. It may overlap what is in order, so it is on level 0; and it
   * counts as not repaired, since whether something is lost is known only at the end.
   */
  private final class LateOutputs implements OutOfOrderRows.OutputSSTables {
    private final OutputHints hints;

    LateOutputs(OutputHints hints) {
      this.hints = hints.withLevel(0);
    }

    @Override
    public SSTableWriter next() throws IOException {
      return claim.newOutput(hints);
    }

    @Override
    public void done(SSTableWriter writer) throws IOException {
      writer.forgetRepair();
      finish(writer);
    }
  }

  /** What is lost of an input, or may be, one sentence each. */
  private List<String> losses(SSTable input, Salvage salvage) throws IOException {
    StatsMetadata stats = input.statistics().stats();
    List<String> lost = new ArrayList<>(salvage.losses());
    if (input.components().contains(Component.CRC) && !input.hasChecksums()) {
      // Why they cannot be used was said when it was opened.
      lost.add(
          input + " was read without checksums: whether its data is what was written is not known");
    }
    long partitions = stats.partitionSizes().count();
    if (lost.isEmpty()
        && (salvage.partitions() != partitions
            || (salvage.rows() != stats.totalRows()
                && !Overcount.explains(input, salvage.rows(), progress)))) {
      lost.add(
          input
              + ": "
              + salvage.partitions()
              + " partitions and "
              + salvage.rows()
              + " rows were read, its statistics say that there are "
              + partitions
              + " and "
              + stats.totalRows());
    }
    return lost;
  }

  private void finish(SSTableWriter writer) throws IOException {
    if (writer.partitions() > 0) {
      shared.wrote(writer.dataLength());
      writer.finish();
      writers.add(writer);
    }
  }

  private void checkWritten() throws CompactionCheckException {
    long partitions = writers.stream().mapToLong(SSTableWriter::partitions).sum();
    long rows = writers.stream().mapToLong(SSTableWriter::rows).sum();
    long markers = writers.stream().mapToLong(SSTableWriter::markers).sum();
    if (partitions != written.partitions || rows != written.rows || markers != written.markers) {
      throw new CompactionCheckException(
          "scrub of "
              + claim.inputs()
              + ": to be written "
              + written
              + ", written "
              + partitions
              + " partitions, "
              + rows
              + " rows, "
              + markers
              + " markers, so nothing was changed");
    }
  }

  private TaskReport report(List<SSTable> inputs) {
    return new TaskReport(
        writers.stream().map(SSTableWriter::descriptor).toList(),
        List.of(),
        inputs.stream().mapToLong(SSTable::onDiskLength).sum(),
        writers.stream().mapToLong(SSTableWriter::onDiskLength).sum(),
        inputs.stream().mapToLong(SSTable::dataLength).sum(),
        writers.stream().mapToLong(SSTableWriter::dataLength).sum(),
        partitionsRead,
        written.partitions,
        rowsRead,
        written.rows,
        List.of(written.partitions),
        List.of(written.rows),
        TaskReport.Purged.NOTHING,
        losses);
  }
}
