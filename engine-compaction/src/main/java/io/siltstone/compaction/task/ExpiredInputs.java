package io.siltstone.compaction.task;

import io.siltstone.spi.Claim;
import io.siltstone.spi.OverlapView;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds fully expired inputs, which a compaction drops without reading them: all their data was
 * deleted or has expired longer than {@code gc_grace_seconds} ago, and shadows nothing, as
 * everything else that may be in the same partitions is newer.
 *
 * <p>Source: Cassandra {@code CompactionController.getFullyExpiredSSTables}, which checks the whole
 * table; this checks the range of keys.
 */
final class ExpiredInputs {
  private ExpiredInputs() {}

  /**
   * @param gcBefore in seconds since 1970
   * @param ignoresOverlaps whether the overlap check is skipped
   * @param mayPurge false if the task may purge nothing at all
   */
  static List<SSTable> find(
      List<SSTable> inputs, Claim claim, long gcBefore, boolean ignoresOverlaps, boolean mayPurge) {
    List<SSTable> expired = new ArrayList<>();
    List<SSTable> others = new ArrayList<>();
    for (SSTable input : inputs) {
      boolean isExpired = mayPurge && stats(input).maxLocalDeletionTime() < gcBefore;
      (isExpired ? expired : others).add(input);
    }
    if (!ignoresOverlaps && !expired.isEmpty()) {
      OverlapView overlaps = claim.overlaps();
      expired.removeIf(
          input ->
              stats(input).maxTimestamp()
                  >= leastOverlappingTimestamp(input, others, overlaps, gcBefore));
      overlaps.release();
    }
    return expired;
  }

  /** Returns the least timestamp of all other data that may be in the same partitions. */
  private static long leastOverlappingTimestamp(
      SSTable input, List<SSTable> others, OverlapView overlaps, long gcBefore) {
    long least = overlaps.minTimestamp(input.firstKey(), input.lastKey(), gcBefore);
    for (SSTable other : others) {
      if (other.firstKey().compareTo(input.lastKey()) <= 0
          && other.lastKey().compareTo(input.firstKey()) >= 0) {
        least = Math.min(least, stats(other).minTimestamp());
      }
    }
    return least;
  }

  private static StatsMetadata stats(SSTable table) {
    return table.statistics().stats();
  }
}
