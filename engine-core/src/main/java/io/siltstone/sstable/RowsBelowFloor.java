package io.siltstone.sstable;

import io.siltstone.cursor.RetentionFloor;
import io.siltstone.cursor.Slice;
import io.siltstone.sstable.metadata.CoveredClustering;

/** Decides by the statistics of an SSTable how much of it a {@link RetentionFloor} hides. */
public final class RowsBelowFloor {
  private RowsBelowFloor() {}

  /**
   * Returns whether the floor hides all that the SSTable has, so that it can be dropped without
   * being read: all rows and range tombstones, and there is no static row and no deletion of a
   * partition. {@code nb} does not say whether there is one, so that such an SSTable must have no
   * tombstone and no TTL at all.
   */
  public static boolean areAll(SSTable table, RetentionFloor floor) {
    return !table.statistics().stats().hasPartitionDeletions()
        && !table.header().hasStatic()
        && areAllRows(table, floor);
  }

  /**
   * Returns whether the SSTable has rows or range tombstones, and the floor hides all of them.
   * Besides, it may have static rows and deletions of partitions. False for {@code na}.
   */
  public static boolean areAllRows(SSTable table, RetentionFloor floor) {
    if (!table.descriptor().version().hasReliableClusterings()) {
      return false;
    }
    CoveredClustering covered = table.statistics().stats().coveredClustering();
    Slice kept = floor.kept();
    // Without such a value the SSTable has no rows, or a range tombstone without end.
    int values = floor.isDescending() ? covered.startSize() : covered.endSize();
    return values > 0 && !covered.mightIntersect(kept.start(), kept.end());
  }
}
