package io.siltstone.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A completed compaction, as the compaction history keeps it. Immutable.
 *
 * @param id the id of the job
 * @param keyspace the keyspace of the table
 * @param table the name of the table
 * @param operation the operation as in the request, or the strategy's name
 * @param compactedAt the time of its end, in milliseconds
 * @param duration the time since it claimed its inputs, in milliseconds
 * @param inputs the SSTables that it merged
 * @param outputs the SSTables that it wrote
 * @param partitionsMerged how many partitions were read from one input, from two, and so on; empty
 *     if it is unknown
 */
public record PastCompaction(
    UUID id,
    String keyspace,
    String table,
    String operation,
    Instant compactedAt,
    Duration duration,
    Inputs inputs,
    Outputs outputs,
    List<Long> partitionsMerged) {

  /** Copies the list, and cuts times to milliseconds. */
  public PastCompaction {
    partitionsMerged = List.copyOf(partitionsMerged);
    compactedAt = Instant.ofEpochMilli(compactedAt.toEpochMilli());
    duration = Duration.ofMillis(duration.toMillis());
  }

  /**
   * The SSTables that a compaction merged.
   *
   * @param sstables the number of SSTables
   * @param bytes the size of their data files
   */
  public record Inputs(int sstables, long bytes) {}

  /**
   * The SSTables that a compaction wrote.
   *
   * @param sstables the number of SSTables
   * @param bytes the size of their data files
   * @param partitions the number of partitions in them
   * @param rows the number of rows in them
   */
  public record Outputs(int sstables, long bytes, long partitions, long rows) {}
}
