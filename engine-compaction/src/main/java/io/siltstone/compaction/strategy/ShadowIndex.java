package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.List;

/**
 * Finds the tables that may have what a table's tombstones shadow: a key in common, and data that
 * is not all newer. A tree over all tables by first key, which knows of each branch how far its
 * keys reach and how old its data is, so that few are looked at in vain. Confined to one thread.
 */
final class ShadowIndex {
  private final List<LiveTable> tables;
  // Of the branch i, those of 2i and 2i + 1; the leaves are the tables in their order.
  private final PartitionKey[] lastKeys;
  private final long[] minTimestamps;
  private final int leaves;

  /**
   * @param tables by first key, one or more
   */
  ShadowIndex(List<LiveTable> tables) {
    this.tables = tables;
    int width = 1;
    while (width < tables.size()) {
      width *= 2;
    }
    this.leaves = width;
    this.lastKeys = new PartitionKey[2 * width];
    this.minTimestamps = new long[2 * width];
    for (int i = 0; i < width; i++) {
      boolean isThere = i < tables.size();
      // What is missing reaches no further than what is there, and is newer than anything.
      LiveTable table = tables.get(isThere ? i : 0);
      lastKeys[width + i] = table.lastKey();
      minTimestamps[width + i] = isThere ? table.minTimestamp() : Long.MAX_VALUE;
    }
    for (int i = width - 1; i > 0; i--) {
      PartitionKey left = lastKeys[2 * i];
      PartitionKey right = lastKeys[2 * i + 1];
      lastKeys[i] = left.compareTo(right) < 0 ? right : left;
      minTimestamps[i] = Math.min(minTimestamps[2 * i], minTimestamps[2 * i + 1]);
    }
  }

  /**
   * The first, from an index on, that has something that a table may shadow, as the table itself.
   *
   * @return its index; -1 if there is none
   */
  int next(int from, LiveTable table) {
    return next(1, 0, leaves, from, table);
  }

  private int next(int branch, int first, int width, int from, LiveTable table) {
    if (first + width <= from || first >= tables.size() || !mayShadow(table, branch, first)) {
      return -1;
    }
    if (width == 1) {
      return first;
    }
    int half = width / 2;
    int index = next(2 * branch, first, half, from, table);
    return index >= 0 ? index : next(2 * branch + 1, first + half, half, from, table);
  }

  private boolean mayShadow(LiveTable table, int branch, int first) {
    return minTimestamps[branch] <= table.maxTimestamp()
        && lastKeys[branch].compareTo(table.firstKey()) >= 0
        && tables.get(first).firstKey().compareTo(table.lastKey()) <= 0;
  }
}
