package io.siltstone.compaction.task;

import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionRange;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Merges one range of the partitions of a task's inputs. Runs once, on one thread. */
final class MergePart {
  private final Claim claim;
  private final TaskOptions options;
  private final boolean mayForget;
  private final List<SSTable> inputs;
  private final PartitionRange range;
  private final OutputHints hints;
  private final TaskProgress progress;
  private final Tally tally = new Tally();

  MergePart(
      Claim claim,
      TaskOptions options,
      boolean mayForget,
      List<SSTable> inputs,
      PartitionRange range,
      OutputHints hints,
      TaskProgress progress) {
    this.claim = claim;
    this.options = options;
    this.mayForget = mayForget;
    this.inputs = inputs;
    this.range = range;
    this.hints = hints;
    this.progress = progress;
  }

  Tally tally() {
    return tally;
  }

  /** Reads, merges, purges and writes; returns the outputs, which are finished. */
  List<SSTableWriter> run() throws IOException {
    Landmarks landmarks = Landmarks.of(inputs, range);
    long expectedBytes = inputs.stream().mapToLong(SSTable::onDiskLength).sum();
    Division division = Division.of(options.split(), expectedBytes);
    Outputs outputs = new Outputs(claim, hints, division, tally.written, landmarks, progress);
    TableEncoding table =
        new TableEncoding(
            new RowEncoding(hints.header(), outputs.hasUnsignedDeletionTimes()),
            options.schema().droppedColumns());
    PurgeRule rule =
        new PurgeRule(claim.overlaps(), options.nowSeconds(), options.gcBefore(), mayForget, tally);
    PlainEncodings plain = new PlainEncodings(inputs, options.nowSeconds());
    try (MergeCursor merge = new MergeCursor(table, tally.listener(landmarks))) {
      merge.begin(openInputs(), false);
      outputs.addAll(new Purge(merge, table, rule, plain, tally, landmarks));
    }
    List<SSTableWriter> written = outputs.finish();
    landmarks.check("compaction of " + inputs);
    return written;
  }

  private List<PartitionCursor> openInputs() throws IOException {
    List<PartitionCursor> cursors = new ArrayList<>();
    try {
      for (SSTable input : inputs) {
        cursors.add(
            new InputCursor(input.scan(options.access(progress), range), tally.read, progress));
      }
      return cursors;
    } catch (Throwable e) {
      for (PartitionCursor cursor : cursors) {
        try {
          cursor.close();
        } catch (IOException suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e;
    }
  }
}
