package io.siltstone.compaction.task;

import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * What a task has done.
 *
 * @param outputs the SSTables that are live now
 * @param expired inputs of which everything had expired: they were dropped without being read
 * @param onDiskBytesRead of the inputs' data files, expired ones left out
 * @param onDiskBytesWritten of the outputs' data files
 * @param dataBytesRead of the inputs' data, uncompressed
 * @param dataBytesWritten of the outputs' data, uncompressed
 * @param partitionsRead from all inputs
 * @param partitionsWritten to all outputs
 * @param rowsRead from all inputs, static ones included
 * @param rowsWritten to all outputs, static ones included
 * @param partitionsMerged how many partitions were read from one input, from two, and so on
 * @param rowsMerged likewise of rows
 * @param purge what was forgotten, and why other things were not
 * @param losses what could not be read and is gone, one sentence each; empty unless it was a scrub
 */
public record TaskReport(
    List<Descriptor> outputs,
    List<Descriptor> expired,
    long onDiskBytesRead,
    long onDiskBytesWritten,
    long dataBytesRead,
    long dataBytesWritten,
    long partitionsRead,
    long partitionsWritten,
    long rowsRead,
    long rowsWritten,
    List<Long> partitionsMerged,
    List<Long> rowsMerged,
    Purged purge,
    List<String> losses) {

  /** Copies the lists. */
  public TaskReport {
    outputs = List.copyOf(outputs);
    expired = List.copyOf(expired);
    partitionsMerged = List.copyOf(partitionsMerged);
    rowsMerged = List.copyOf(rowsMerged);
    losses = List.copyOf(losses);
  }

  /**
   * What became of tombstones, of any kind: of cells, collections, rows, ranges (each end counts)
   * and partitions. What has expired counts as a tombstone.
   *
   * @param tombstones that were forgotten
   * @param keptForGrace that are younger than {@code gc_grace_seconds}, or not repaired with {@code
   *     only_purge_repaired_tombstones}
   * @param keptForOverlap that may shadow something outside of the claim
   * @param expiredCells whose value was given up, of which a tombstone may have stayed
   * @param partitions of which nothing was left
   * @param rows of which nothing was left
   */
  public record Purged(
      long tombstones,
      long keptForGrace,
      long keptForOverlap,
      long expiredCells,
      long partitions,
      long rows) {
    /** Of a task that does not look. */
    static final Purged NOTHING = new Purged(0, 0, 0, 0, 0, 0);
  }
}
