package io.siltstone.compaction.task;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTableWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the output of a compaction into one SSTable after the other, as an {@link OutputSplitter}
 * divides it. Confined to one thread; the claim owns the writers.
 */
final class OutputSSTables {
  private final Claim claim;
  private final OutputHints hints;
  private final OutputSplitter outputSplitter;
  private final StageCounters.Flow written;
  private final BoundaryKeyCheck boundaryKeyCheck;
  private final SharedProgress shared;
  private final List<SSTableWriter> writers = new ArrayList<>();
  private SSTableWriter writer;
  private long reported;

  /**
   * Opens the first SSTable.
   *
   * @param hints for an SSTable with all partitions
   */
  OutputSSTables(
      Claim claim,
      OutputHints hints,
      OutputSplitter outputSplitter,
      StageCounters.Flow written,
      BoundaryKeyCheck boundaryKeyCheck,
      SharedProgress shared)
      throws IOException {
    this.claim = claim;
    this.hints = hints;
    this.outputSplitter = outputSplitter;
    this.written = written;
    this.boundaryKeyCheck = boundaryKeyCheck;
    this.shared = shared;
    this.writer = open();
  }

  private SSTableWriter open() throws IOException {
    long partitions =
        Math.max(1, (long) Math.ceil(hints.expectedPartitions() * outputSplitter.share()));
    SSTableWriter opened = claim.newOutput(hints.withExpectedPartitions(partitions));
    writers.add(opened);
    return opened;
  }

  /** Returns whether local deletion times are unsigned in the outputs. */
  boolean hasUnsignedDeletionTimes() {
    return writer.descriptor().version().hasUnsignedDeletionTimes();
  }

  /** Writes all partitions of a cursor. */
  void addAll(PartitionCursor cursor) throws IOException {
    while (cursor.nextPartition()) {
      add(cursor);
    }
  }

  private void add(PartitionCursor partition) throws IOException {
    PartitionKey key = partition.key();
    if (outputSplitter.endsBefore(key, writer)) {
      end();
      writer = open();
    }
    writer.startPartition(key, partition.deletionTimestamp(), partition.deletionLocalTime());
    written.partitionDeletion(partition.deletionTimestamp());
    while (partition.nextUnfiltered()) {
      Unfiltered next = partition.unfiltered();
      writer.add(next);
      if (!next.isMarker()) {
        written.rowDeletion(next);
      }
    }
    writer.endPartition();
    boundaryKeyCheck.pass(key);
    if (writer.dataLength() - reported >= InputCursor.STEP_BYTES) {
      report();
    }
  }

  private void report() {
    shared.wrote(writer.dataLength() - reported);
    reported = writer.dataLength();
  }

  private void end() throws IOException {
    report();
    reported = 0;
    if (writer.partitions() > 0) {
      writer.finish();
    }
    // Counted by the writer itself, independently of the stages before it.
    written.partitions += writer.partitions();
    written.rows += writer.rows();
    written.markers += writer.markers();
    // A hash of the keys as written, whatever path they took.
    written.keys += writer.keysHash();
  }

  /** Completes the last SSTable, and returns those that have partitions. */
  List<SSTableWriter> finish() throws IOException {
    end();
    return writers.stream().filter(one -> one.partitions() > 0).toList();
  }
}
