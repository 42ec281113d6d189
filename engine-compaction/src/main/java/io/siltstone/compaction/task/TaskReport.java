package io.siltstone.compaction.task;

import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * What a compaction has done.
 *
 * @param outputs the SSTables that replaced the inputs
 * @param expired fully expired inputs, which were dropped without being read
 * @param onDiskBytesRead bytes of the inputs' data files, without those of expired ones
 * @param onDiskBytesWritten bytes of the outputs' data files
 * @param dataBytesRead uncompressed bytes of the inputs' data
 * @param dataBytesWritten uncompressed bytes of the outputs' data
 * @param partitionsRead partitions read from all inputs
 * @param partitionsWritten partitions written to all outputs
 * @param rowsRead rows read from all inputs, static ones included
 * @param rowsWritten rows written to all outputs, static ones included
 * @param partitionsMerged how many partitions were read from one input, from two, and so on
 * @param rowsMerged how many rows were read from one input, from two, and so on
 * @param purge which tombstones were purged, and why others were not
 * @param losses what could not be read and is lost, one sentence each; empty unless it was a scrub
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
   * What became of tombstones of all kinds: of cells, collections, rows, ranges (each end counts)
   * and partitions. Expired data counts as a tombstone.
   *
   * @param tombstones purged ones
   * @param keptForGrace those kept as they are younger than {@code gc_grace_seconds}
   * @param keptForOverlap those kept as they may shadow data outside of the claim
   * @param notPurgeable those kept as the task purges nothing: it is a rewrite, or it has
   *     unrepaired inputs and {@code only_purge_repaired_tombstones} is set
   * @param expiredCells cells whose value was dropped; a tombstone may remain of each
   * @param partitions partitions of which nothing was left
   * @param rows rows of which nothing was left
   */
  public record Purged(
      long tombstones,
      long keptForGrace,
      long keptForOverlap,
      long notPurgeable,
      long expiredCells,
      long partitions,
      long rows) {
    /** The counts of a task that does not inspect rows. */
    static final Purged NOTHING = new Purged(0, 0, 0, 0, 0, 0, 0);
  }
}
