package io.siltstone.bulk;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.Claim;
import io.siltstone.spi.OutputHints;
import io.siltstone.sstable.SSTableWriter;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes sorted partitions to new SSTables of a claim, divided at tokens and by size. A partition
 * is never divided. Nothing is allocated per partition or row. Used once, by one thread.
 */
final class BulkOutput {
  private final Claim claim;
  private final OutputHints hints;
  private final Division.Ranges ranges;
  private final long maxBytes;
  private final long addedBytes;
  private final List<Descriptor> written = new ArrayList<>();
  private @Nullable SSTableWriter writer;
  private int range;
  private long partitions;
  private long rows;
  private long dataBytes;
  private long onDiskBytes;

  /**
   * @param hints of all SSTables; the partitions that are expected are those of all together
   * @param ranges of the division, with the counts of what was added
   * @param addedBytes size of all that was added
   */
  BulkOutput(
      Claim claim, OutputHints hints, Division division, Division.Ranges ranges, long addedBytes) {
    this.claim = claim;
    this.hints = hints;
    this.ranges = ranges;
    this.maxBytes = division.maxBytes();
    this.addedBytes = addedBytes;
  }

  /**
   * Writes all partitions.
   *
   * @param progress is called for each partition
   */
  void writeAll(PartitionCursor cursor, Progress progress) throws IOException {
    while (cursor.nextPartition()) {
      progress.step();
      write(cursor);
    }
    endOutput();
  }

  // A method of its own is compiled sooner, and with less effort, than the loop around it.
  private void write(PartitionCursor partition) throws IOException {
    SSTableWriter to = writerOf(partition.key());
    to.startPartition(
        partition.key(), partition.deletionTimestamp(), partition.deletionLocalTime());
    while (partition.nextUnfiltered()) {
      Unfiltered unfiltered = partition.unfiltered();
      if (!unfiltered.isMarker() && !unfiltered.isStatic()) {
        rows++;
      }
      to.add(unfiltered);
    }
    to.endPartition();
  }

  private SSTableWriter writerOf(PartitionKey key) throws IOException {
    SSTableWriter present = writer;
    int next = ranges.of(key.token());
    if (present != null && next == range && present.dataLength() < maxBytes) {
      return present;
    }
    endOutput();
    range = next;
    SSTableWriter begun = claim.newOutput(hints.withExpectedPartitions(expectedPartitions()));
    writer = begun;
    return begun;
  }

  private long expectedPartitions() {
    double share = ranges.share(range);
    double bytes = share * addedBytes;
    double outputs = bytes <= maxBytes ? 1 : bytes / maxBytes;
    return Math.max(1, (long) Math.ceil(hints.expectedPartitions() * share / outputs));
  }

  private void endOutput() throws IOException {
    SSTableWriter present = writer;
    if (present != null) {
      writer = null;
      present.finish();
      written.add(present.descriptor());
      partitions += present.partitions();
      dataBytes += present.dataLength();
      onDiskBytes += present.onDiskLength();
    }
  }

  /** Returns the SSTables, in the order of their partitions. */
  List<Descriptor> written() {
    return written;
  }

  /** Returns the number of partitions written. */
  long partitions() {
    return partitions;
  }

  /** Returns the number of rows written so far, without static rows. */
  long rows() {
    return rows;
  }

  /** Returns the size of the data before compression. */
  long dataBytes() {
    return dataBytes;
  }

  /** Returns the size of the data files. */
  long onDiskBytes() {
    return onDiskBytes;
  }
}
