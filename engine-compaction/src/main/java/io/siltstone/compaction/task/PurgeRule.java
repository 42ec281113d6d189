package io.siltstone.compaction.task;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Purgeability;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.OverlapView;

/**
 * Decides, partition by partition, whether a tombstone may be forgotten: it is older than {@code
 * gc_grace_seconds}, and everything that it could shadow is part of the task.
 *
 * <p>What else there is of a partition is asked only when a tombstone is old enough, and once.
 * Confined to one thread. Source: Cassandra {@code CompactionIterator.Purger}, {@code
 * CompactionController.getPurgeEvaluator}.
 */
final class PurgeRule {
  private final OverlapView overlaps;
  private final long nowSeconds;
  private final long gcBefore;
  private final boolean mayForget;
  private final StageCounters stageCounters;

  private PartitionKey key = new PartitionKey();
  private boolean isAsked;
  private long leastOutside;

  /**
   * @param mayForget false if nothing may be forgotten at all
   */
  PurgeRule(
      OverlapView overlaps,
      long nowSeconds,
      long gcBefore,
      boolean mayForget,
      StageCounters stageCounters) {
    this.overlaps = overlaps;
    this.nowSeconds = nowSeconds;
    this.gcBefore = gcBefore;
    this.mayForget = mayForget;
    this.stageCounters = stageCounters;
  }

  /** In seconds since 1970. */
  long nowSeconds() {
    return nowSeconds;
  }

  /** What follows is of this partition; the key stays valid until the next. */
  void begin(PartitionKey partition) {
    key = partition;
    isAsked = false;
  }

  /** Whether a tombstone may be forgotten, which is counted. */
  boolean decide(long timestamp, long localDeletionTime) {
    if (!mayForget || !Purgeability.isGraceOver(localDeletionTime, gcBefore)) {
      stageCounters.tombstonesKeptForGrace++;
      return false;
    }
    if (!isFree(timestamp)) {
      stageCounters.tombstonesKeptForOverlap++;
      return false;
    }
    stageCounters.tombstonesPurged++;
    return true;
  }

  /** As {@link #decide}, of something that was decided before. */
  boolean mayForget(long timestamp, long localDeletionTime) {
    return mayForget && Purgeability.isGraceOver(localDeletionTime, gcBefore) && isFree(timestamp);
  }

  /** As {@link #decide}, false without a deletion, which is not counted. */
  boolean decideDeletion(long timestamp, long localDeletionTime) {
    return !DeletionTime.isLive(timestamp) && decide(timestamp, localDeletionTime);
  }

  /** Whether nothing outside of the task is so old that a tombstone could shadow it. */
  private boolean isFree(long timestamp) {
    if (!isAsked) {
      isAsked = true;
      leastOutside = overlaps.minTimestamp(key);
    }
    return Purgeability.isFree(timestamp, leastOutside);
  }
}
