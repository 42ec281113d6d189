package io.siltstone.tools.inspect;

import io.siltstone.compaction.strategy.TableGroup;
import io.siltstone.spi.LiveTable;

/**
 * What is shown of one SSTable.
 *
 * @param table its statistics
 * @param group level, window or size that its strategy sees it in
 * @param from where it begins, as a share of the scale of tokens, 0 to 1
 * @param to where it ends
 * @param row of its group in which it is drawn, from 0, so that none covers another
 * @param overlaps others that have keys between its first and last
 * @param tombstones share of cells that are deleted or expired now
 * @param droppable share of cells that have been so for gc_grace_seconds
 */
record FileFigures(
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

  /** Compressed by uncompressed size. */
  double ratio() {
    return table.dataBytes() == 0 ? 1 : (double) table.onDiskBytes() / table.dataBytes();
  }
}
