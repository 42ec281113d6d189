package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Purgeability;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.OverlapView;

/**
 * Decides whether a compaction may purge a tombstone: it is older than {@code gc_grace_seconds},
 * and it can shadow no data outside of the compaction (the overlap check). {@link PurgingCursor}
 * shows both rules by an example.
 *
 * <p>The overlap check asks once per partition, and only if a tombstone is old enough: finding
 * which other SSTables may have a partition reads their bloom filters. Confined to one thread.
 * Source: Cassandra {@code CompactionIterator.Purger}, {@code
 * CompactionController.getPurgeEvaluator}.
 */
final class PurgeRule {
  private final OverlapView overlaps;
  private final long nowSeconds;
  private final long gcBefore;
  private final boolean mayPurge;
  private final StageCounters stageCounters;

  private PartitionKey key = new PartitionKey();
  private boolean isChecked;
  private long leastOutside;

  /**
   * @param nowSeconds since 1970: what expires until then has expired
   * @param gcBefore in seconds since 1970: older tombstones are past {@code gc_grace_seconds}
   * @param mayPurge false if the task purges nothing: it is a rewrite, or it has unrepaired inputs
   *     and {@code only_purge_repaired_tombstones} is set
   */
  PurgeRule(
      OverlapView overlaps,
      long nowSeconds,
      long gcBefore,
      boolean mayPurge,
      StageCounters stageCounters) {
    this.overlaps = overlaps;
    this.nowSeconds = nowSeconds;
    this.gcBefore = gcBefore;
    this.mayPurge = mayPurge;
    this.stageCounters = stageCounters;
  }

  /** Returns the time in seconds since 1970. */
  long nowSeconds() {
    return nowSeconds;
  }

  /**
   * Begins a partition, to which the next decisions apply. The key must stay valid until the next.
   */
  void begin(PartitionKey partition) {
    key = partition;
    isChecked = false;
  }

  /** Decides whether a tombstone may be purged, and counts the decision and its reason. */
  boolean decide(long timestamp, long localDeletionTime) {
    if (!mayPurge) {
      stageCounters.tombstonesNotPurgeable++;
      return false;
    }
    if (!Purgeability.isGraceOver(localDeletionTime, gcBefore)) {
      stageCounters.tombstonesKeptForGrace++;
      return false;
    }
    if (!shadowsNothing(timestamp)) {
      stageCounters.tombstonesKeptForOverlap++;
      return false;
    }
    stageCounters.tombstonesPurged++;
    return true;
  }

  /** Decides as {@link #decide}, without counting, about a tombstone that was counted before. */
  boolean mayPurge(long timestamp, long localDeletionTime) {
    return mayPurge
        && Purgeability.isGraceOver(localDeletionTime, gcBefore)
        && shadowsNothing(timestamp);
  }

  /** Decides as {@link #decide}; returns false, and counts nothing, if there is no deletion. */
  boolean decideDeletion(long timestamp, long localDeletionTime) {
    return !DeletionTime.isLive(timestamp) && decide(timestamp, localDeletionTime);
  }

  /**
   * Returns whether all data outside of the task is newer than the tombstone, so that it shadows
   * none.
   */
  private boolean shadowsNothing(long timestamp) {
    if (!isChecked) {
      isChecked = true;
      leastOutside = overlaps.minTimestamp(key);
    }
    return Purgeability.isFree(timestamp, leastOutside);
  }
}
