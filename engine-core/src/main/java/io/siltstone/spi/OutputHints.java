package io.siltstone.spi;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.RepairState;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a new SSTable that the job sets before it is written. Everything else comes from
 * the table's options.
 *
 * @param header types, columns and delta bases of the rows
 * @param expectedPartitions about how many there will be, 1 or more; sizes the bloom filter
 * @param level in leveled compaction, 0 elsewhere
 * @param repair state of repair, of a merge that of all inputs
 * @param executors compress, write and sync after the writer; if there are {@linkplain
 *     PipelineExecutors#NONE none} the writer's thread does
 * @param outputVerification how thoroughly the files are verified before they are committed
 * @param version the format version; null for that of the database or directory
 * @param compression of the data; null for that of the table
 */
public record OutputHints(
    SerializationHeader header,
    long expectedPartitions,
    int level,
    RepairState repair,
    PipelineExecutors executors,
    OutputVerification outputVerification,
    @Nullable FormatVersion version,
    @Nullable CompressionOptions compression) {

  /** Returns hints for level 0, not repaired, written by the writer's thread. */
  public static OutputHints of(SerializationHeader header, long expectedPartitions) {
    return new OutputHints(
        header,
        expectedPartitions,
        0,
        RepairState.UNREPAIRED,
        PipelineExecutors.NONE,
        OutputVerification.STRUCTURE,
        null,
        null);
  }

  /** Returns a copy with another number of partitions. */
  public OutputHints withExpectedPartitions(long other) {
    return new OutputHints(
        header, other, level, repair, executors, outputVerification, version, compression);
  }

  /** Returns a copy with another level. */
  public OutputHints withLevel(int other) {
    return new OutputHints(
        header,
        expectedPartitions,
        other,
        repair,
        executors,
        outputVerification,
        version,
        compression);
  }

  /** Returns a copy with another state of repair. */
  public OutputHints withRepair(RepairState other) {
    return new OutputHints(
        header,
        expectedPartitions,
        level,
        other,
        executors,
        outputVerification,
        version,
        compression);
  }

  /** Returns a copy with other executors, which compress, write and sync. */
  public OutputHints withExecutors(PipelineExecutors other) {
    return new OutputHints(
        header, expectedPartitions, level, repair, other, outputVerification, version, compression);
  }

  /** Returns a copy with another level of verification. */
  public OutputHints withOutputVerification(OutputVerification other) {
    return new OutputHints(
        header, expectedPartitions, level, repair, executors, other, version, compression);
  }

  /** Returns a copy with another format version and compression, null for the usual ones. */
  public OutputHints withForm(
      @Nullable FormatVersion otherVersion, @Nullable CompressionOptions otherCompression) {
    return new OutputHints(
        header,
        expectedPartitions,
        level,
        repair,
        executors,
        outputVerification,
        otherVersion,
        otherCompression);
  }
}
