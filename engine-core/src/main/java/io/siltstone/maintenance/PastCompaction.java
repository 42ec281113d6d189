package io.siltstone.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A completed compaction, as the compaction history keeps it. Immutable.
 *
 * @param id of the job
 * @param keyspace of the table
 * @param table its name
 * @param operation as in the request, or the strategy's name
 * @param compactedAt time of its end, in milliseconds
 * @param duration since it claimed its inputs, in milliseconds
 * @param sstablesIn number of inputs
 * @param sstablesOut number of outputs
 * @param bytesIn of the inputs' data files
 * @param bytesOut of the outputs' data files
 * @param partitionsOut in the outputs
 * @param rowsOut in the outputs
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
    int sstablesIn,
    int sstablesOut,
    long bytesIn,
    long bytesOut,
    long partitionsOut,
    long rowsOut,
    List<Long> partitionsMerged) {

  /** Copies the list, and cuts times to milliseconds. */
  public PastCompaction {
    partitionsMerged = List.copyOf(partitionsMerged);
    compactedAt = Instant.ofEpochMilli(compactedAt.toEpochMilli());
    duration = Duration.ofMillis(duration.toMillis());
  }
}
