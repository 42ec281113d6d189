package io.siltstone.spi;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.sstable.metadata.RepairState;

/**
 * What the maker of an SSTable knows before it is written. All else comes from the table's options.
 *
 * @param header types, columns and delta bases of the rows
 * @param expectedPartitions about how many there will be, 1 or more; sizes the bloom filter
 * @param level in leveled compaction, 0 elsewhere
 * @param repair state of repair, of a merge that of all inputs
 * @param executors compress, write and sync after the writer; if there are {@linkplain
 *     PipelineExecutors#NONE none} the writer's thread does
 * @param outputVerification how thoroughly the files are verified before they are committed
 */
public record OutputHints(
    SerializationHeader header,
    long expectedPartitions,
    int level,
    RepairState repair,
    PipelineExecutors executors,
    OutputVerification outputVerification) {

  /** On level 0, not repaired, written by the writer's thread. */
  public static OutputHints of(SerializationHeader header, long expectedPartitions) {
    return new OutputHints(
        header,
        expectedPartitions,
        0,
        RepairState.UNREPAIRED,
        PipelineExecutors.NONE,
        OutputVerification.STRUCTURE);
  }

  /** With another number of partitions. */
  public OutputHints withExpectedPartitions(long other) {
    return new OutputHints(header, other, level, repair, executors, outputVerification);
  }

  /** On another level. */
  public OutputHints withLevel(int other) {
    return new OutputHints(
        header, expectedPartitions, other, repair, executors, outputVerification);
  }

  /** In another state of repair. */
  public OutputHints withRepair(RepairState other) {
    return new OutputHints(header, expectedPartitions, level, other, executors, outputVerification);
  }

  /** Compressed, written and synced by helpers, or by none. */
  public OutputHints withExecutors(PipelineExecutors other) {
    return new OutputHints(header, expectedPartitions, level, repair, other, outputVerification);
  }

  /** Verified at another level. */
  public OutputHints withOutputVerification(OutputVerification other) {
    return new OutputHints(header, expectedPartitions, level, repair, executors, other);
  }
}
