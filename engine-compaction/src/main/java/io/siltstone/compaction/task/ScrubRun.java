package io.siltstone.compaction.task;

import io.siltstone.compaction.report.JobReport;
import io.siltstone.files.RepeatedReads;
import io.siltstone.io.CorruptFileException;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableQuarantine;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.metadata.StatsMetadata;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrubs the inputs of a {@link CompactionTask}: writes the readable data of each input to an
 * SSTable of its own, and what is out of order to further ones. Nothing is purged. The files of
 * inputs that lose data are {@linkplain SSTableQuarantine quarantined}. Runs once, on the calling
 * thread.
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

  JobReport run() throws IOException {
    List<SSTable> inputs = claim.inputs();
    DiskReservations.Reservation room = options.reserve(inputs, progress);
    try (room) {
      return scrub(inputs);
    }
  }

  private JobReport scrub(List<SSTable> inputs) throws IOException {
    progress.begin(inputs.stream().mapToLong(SSTable::dataLength).sum());
    for (SSTable input : inputs) {
      scrub(input);
    }
    checkWritten();
    progress.check();
    if (!damaged.isEmpty()) {
      quarantineDamaged();
    }
    // A failed commit may still have removed the inputs, so their links stay in quarantine. If the
    // inputs are live, the next scrub quarantines them once more.
    claim.commit();
    return report(inputs);
  }

  private void quarantineDamaged() throws IOException {
    SSTableQuarantine quarantine = new SSTableQuarantine(damaged.get(0).directory());
    try {
      for (SSTable input : damaged) {
        quarantine.add(input.descriptor());
      }
    } catch (Throwable e) {
      quarantine.undo(e);
      throw e;
    }
  }

  private void scrub(SSTable input) throws IOException {
    try {
      RepeatedReads.run(
          input.toString(),
          CorruptFileException.WHOLE_FILE,
          () -> {
            input.openFiles();
            return input;
          });
    } catch (CorruptSSTableException | CorruptFileException e) {
      LOG.warn("{} is salvaged without what cannot be opened: {}", input, e.getMessage());
      try (SSTable again = input.openForSalvage()) {
        scrub(input, again);
      }
      return;
    }
    scrub(input, input);
  }

  /**
   * @param opened the input, or what could be opened of it
   */
  private void scrub(SSTable input, SSTable opened) throws IOException {
    StatsMetadata stats = input.statistics().stats();
    OutputHints hints =
        OutputHints.of(input.header(), Math.max(1, stats.partitionSizes().count()))
            .withLevel(options.level())
            .withRepair(stats.repair())
            .withExecutors(options.resources().executors())
            .withOutputVerification(options.resources().outputVerification());
    try (Salvage salvage = new Salvage(opened, shared, options, new LateOutputs(hints))) {
      SSTableWriter inOrder = claim.newOutput(hints);
      salvage.copyTo(inOrder);
      List<String> lost = losses(opened, salvage);
      if (!lost.isEmpty()) {
        // Other replicas may still have the lost data, and a repair skips what is marked as
        // repaired.
        inOrder.markUnrepaired();
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
   * Provides SSTables for what is out of order. They may overlap the one in order, so they are of
   * level 0; and they count as unrepaired, as losses are known only at the end.
   */
  private final class LateOutputs implements OutOfOrderRows.Outputs {
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
      writer.markUnrepaired();
      finish(writer);
    }
  }

  /** Returns what is or may be lost of an input, one sentence each. */
  private List<String> losses(SSTable input, Salvage salvage) throws IOException {
    StatsMetadata stats = input.statistics().stats();
    List<String> lost = new ArrayList<>(salvage.losses());
    if (input.components().contains(Component.CRC) && !input.hasChecksums()) {
      // The reason was logged when the SSTable was opened.
      lost.add(input + " was read without checksums: undetected damage is possible");
    }
    long partitions = stats.partitionSizes().count();
    if (lost.isEmpty()
        && (salvage.partitions() != partitions
            || (salvage.rows() != stats.totalRows()
                && !Overcount.explains(input, salvage.rows(), progress)))) {
      lost.add(
          input
              + ": "
              + CountText.of(salvage.partitions(), "partition")
              + " and "
              + CountText.of(salvage.rows(), "row")
              + " were read, its statistics state "
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
              + ": passed to writers "
              + written
              + ", written "
              + CountText.of(partitions, "partition")
              + ", "
              + CountText.of(rows, "row")
              + ", "
              + CountText.of(markers, "marker")
              + ", so nothing was changed");
    }
  }

  private JobReport report(List<SSTable> inputs) {
    return new JobReport(
        writers.stream().map(SSTableWriter::descriptor).toList(),
        List.of(),
        List.of(),
        new JobReport.Volume(
            inputs.stream().mapToLong(SSTable::onDiskLength).sum(),
            inputs.stream().mapToLong(SSTable::dataLength).sum(),
            partitionsRead,
            rowsRead),
        new JobReport.Volume(
            writers.stream().mapToLong(SSTableWriter::onDiskLength).sum(),
            writers.stream().mapToLong(SSTableWriter::dataLength).sum(),
            written.partitions,
            written.rows),
        List.of(written.partitions),
        List.of(written.rows),
        JobReport.Purged.NOTHING,
        losses);
  }
}
