package io.siltstone.compaction.task;

import io.siltstone.spi.Claim;
import io.siltstone.spi.OverlapView;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.metadata.StatsMetadata;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds inputs that need not be read, as everything in them may be forgotten: it was deleted or has
 * expired long enough ago, and shadows nothing, since all else that may be of the same partitions
 * is newer.
 *
 * <p>Source: Cassandra {@code CompactionController.getFullyExpiredSSTables}, which looks at the
 * whole table where this looks at the range of keys.
 */
final class ExpiredInputs {
  private ExpiredInputs() {}

  /**
   * @param gcBefore in seconds since 1970
   * @param ignoresOverlaps whether what they shadow does not matter
   * @param mayForget false if nothing may be forgotten at all
   */
  static List<SSTable> find(
      List<SSTable> inputs,
      Claim claim,
      long gcBefore,
      boolean ignoresOverlaps,
      boolean mayForget) {
    List<SSTable> expired = new ArrayList<>();
    List<SSTable> others = new ArrayList<>();
    for (SSTable input : inputs) {
      boolean isExpired = mayForget && stats(input).maxLocalDeletionTime() < gcBefore;
      (isExpired ? expired : others).add(input);
    }
    if (!ignoresOverlaps && !expired.isEmpty()) {
      OverlapView overlaps = claim.overlaps();
      expired.removeIf(
          input -> stats(input).maxTimestamp() >= leastBeside(input, others, overlaps, gcBefore));
      overlaps.release();
    }
    return expired;
  }

  /** The least timestamp of anything else that may be of the same partitions. */
  private static long leastBeside(
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
