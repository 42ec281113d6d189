package io.siltstone.spi;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.RepairState;
import io.siltstone.sstable.metadata.TombstoneHistogram;

/**
 * What a strategy needs to know of one SSTable. Immutable; without files, so that a simulation can
 * make them up.
 *
 * @param descriptor its version and generation: its identity within the table
 * @param onDiskBytes of the data file
 * @param dataBytes of the data, uncompressed
 * @param firstKey of its first partition; not to be changed
 * @param lastKey of its last partition; not to be changed
 * @param partitions about how many
 * @param rows static ones included
 * @param cells about how many, tombstones included
 * @param minTimestamp of all cells, rows and deletions, in microseconds
 * @param maxTimestamp likewise
 * @param minLocalDeletionTime of all tombstones and expiring cells, in seconds, or {@link
 *     DeletionTime#NO_DELETION_TIME}
 * @param maxLocalDeletionTime likewise; {@link DeletionTime#NO_DELETION_TIME} if something neither
 *     is deleted nor expires
 * @param tombstoneTimes how many cells are deleted or expire, by time
 * @param level in leveled compaction
 * @param repair state of repair
 * @param writtenAt when its data file was completed, in milliseconds since 1970
 * @param compression of its data
 * @param isClaimed whether it is part of a claim
 * @param isDamaged whether jobs have failed for it, as it is damaged or could not be read: a
 *     compactor notes that, a host does not know it
 */
public record LiveTable(
    Descriptor descriptor,
    long onDiskBytes,
    long dataBytes,
    PartitionKey firstKey,
    PartitionKey lastKey,
    long partitions,
    long rows,
    long cells,
    long minTimestamp,
    long maxTimestamp,
    long minLocalDeletionTime,
    long maxLocalDeletionTime,
    TombstoneHistogram tombstoneTimes,
    int level,
    RepairState repair,
    long writtenAt,
    CompressionOptions compression,
    boolean isClaimed,
    boolean isDamaged) {

  /** Returns the same, as part of a claim. */
  public LiveTable claimed() {
    return with(true, isDamaged);
  }

  /** Returns the same, known to be damaged. */
  public LiveTable damaged() {
    return with(isClaimed, true);
  }

  private LiveTable with(boolean claimed, boolean damaged) {
    return new LiveTable(
        descriptor,
        onDiskBytes,
        dataBytes,
        firstKey,
        lastKey,
        partitions,
        rows,
        cells,
        minTimestamp,
        maxTimestamp,
        minLocalDeletionTime,
        maxLocalDeletionTime,
        tombstoneTimes,
        level,
        repair,
        writtenAt,
        compression,
        claimed,
        damaged);
  }

  /** Returns whether a job may take it. */
  public boolean isFree() {
    return !isClaimed && !isDamaged;
  }

  /** Returns whether it has been repaired. */
  public boolean isRepaired() {
    return repair.isRepaired();
  }

  /** Returns whether it is part of a repair that has not ended, or of a transient replica. */
  public boolean isRepairSeparated() {
    return repair.isRepairSeparated();
  }

  /** Returns whether their states of repair allow that they become one. */
  public boolean isMergeableWith(LiveTable other) {
    return repair.isMergeableWith(other.repair);
  }

  /**
   * Estimated share, from 0 to 1, of cells that are deleted or expired at a time.
   *
   * @param gcBefore in seconds since 1970: now less {@code gc_grace_seconds}
   */
  public double droppableTombstoneRatio(long gcBefore) {
    return cells == 0 ? 0 : Math.min(1, tombstoneTimes.countUpTo(gcBefore) / cells);
  }

  /** Returns whether the ranges of keys have a key in common. */
  public boolean overlaps(LiveTable other) {
    return firstKey.compareTo(other.lastKey) <= 0 && other.firstKey.compareTo(lastKey) <= 0;
  }
}
