package io.siltstone.compaction.report;

import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * The report of a compaction job.
 *
 * @param outputs the SSTables that replaced the inputs
 * @param expired inputs that were dropped without being read: fully expired ones, and those of
 *     which the retention floor hides all
 * @param belowFloor the latter alone
 * @param read what was read from all inputs, without expired ones
 * @param written what was written to all outputs
 * @param partitionsMerged how many partitions were read from one input, from two, and so on
 * @param rowsMerged how many rows were read from one input, from two, and so on
 * @param purge which tombstones were purged, and why others were not
 * @param losses what could not be read and is lost, one sentence each; empty unless it was a scrub
 */
public record JobReport(
    List<Descriptor> outputs,
    List<Descriptor> expired,
    List<Descriptor> belowFloor,
    Volume read,
    Volume written,
    List<Long> partitionsMerged,
    List<Long> rowsMerged,
    Purged purge,
    List<String> losses) {

  /** Copies the lists. */
  public JobReport {
    outputs = List.copyOf(outputs);
    expired = List.copyOf(expired);
    belowFloor = List.copyOf(belowFloor);
    partitionsMerged = List.copyOf(partitionsMerged);
    rowsMerged = List.copyOf(rowsMerged);
    losses = List.copyOf(losses);
  }

  /**
   * The data of the inputs or of the outputs.
   *
   * @param onDiskBytes bytes of the data files
   * @param dataBytes bytes of the data, uncompressed
   * @param partitions the number of partitions
   * @param rows the number of rows, static ones included
   */
  public record Volume(long onDiskBytes, long dataBytes, long partitions, long rows) {}

  /**
   * Counts of purged tombstones, and of others by the reason for which they were kept. Tombstones
   * are those of cells, collections, rows, ranges (each end counts) and partitions. Expired data
   * counts as a tombstone.
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
    public static final Purged NOTHING = new Purged(0, 0, 0, 0, 0, 0, 0);
  }
}
