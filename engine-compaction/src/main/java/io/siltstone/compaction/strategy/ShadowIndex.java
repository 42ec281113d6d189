package io.siltstone.compaction.strategy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.spi.LiveTable;
import java.util.List;

/**
 * Finds the overlapping SSTables that may hold data which the tombstones of an SSTable shadow:
 * those with keys in its range and with data that is not all newer. It is a tree over all SSTables
 * by first key; each node has the greatest last key and the least timestamp below it, so that a
 * search skips most SSTables. Confined to one thread.
 */
final class ShadowIndex {
  private final List<LiveTable> tables;
  // Node i has the children 2i and 2i + 1; the leaves are the SSTables in their order.
  private final PartitionKey[] lastKeys;
  private final long[] minTimestamps;
  private final int leaves;

  /**
   * @param tables at least one SSTable, in the order of their first keys
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
      // A missing leaf has the last key of an existing one, and is newer than all data.
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
   * Returns the index of the first SSTable, from an index on, that has data which {@code table} may
   * shadow; this may be {@code table} itself.
   *
   * @return -1 if there is none
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
