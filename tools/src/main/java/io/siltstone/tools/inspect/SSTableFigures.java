package io.siltstone.tools.inspect;

import io.siltstone.compaction.strategy.TableGroup;
import io.siltstone.spi.LiveTable;

/**
 * The figures of one SSTable.
 *
 * @param table its statistics
 * @param group its level, window or size range in the strategy
 * @param from position of its first token, as a share of the token scale, 0 to 1
 * @param to position of its last token
 * @param row row of its group in which it is drawn, from 0, so that none covers another
 * @param overlaps number of other SSTables with keys between its first and last
 * @param tombstones share of cells that are deleted or expired now
 * @param droppable share of cells that have been so for gc_grace_seconds
 */
record SSTableFigures(
    LiveTable table,
    TableGroup group,
    double from,
    double to,
    int row,
    int overlaps,
    double tombstones,
    double droppable) {

  String name() {
    return table.descriptor().toString();
  }

  /** Returns the compressed size by the uncompressed size. */
  double ratio() {
    return table.dataBytes() == 0 ? 1 : (double) table.onDiskBytes() / table.dataBytes();
  }
}
