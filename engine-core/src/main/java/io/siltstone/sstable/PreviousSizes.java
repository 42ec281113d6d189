package io.siltstone.sstable;

import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;

/**
 * Checks that each row and marker of a partition records the size of the one before, or none with
 * an index of the format BIG: Cassandra 6 writes 0 in a compaction by cursors, of which it has none
 * for BTI. Reads step backward by these sizes; where a table of the format BIG has none, they walk
 * through blocks forward first.
 *
 * <p>Source: Cassandra 6.0-alpha2 {@code SSTableCursorWriter}.
 */
final class PreviousSizes {
  private final SSTable table;
  private final DataCursor data;
  private final boolean maySkip;
  private long previousOffset;

  PreviousSizes(SSTable table, DataCursor data) {
    this.table = table;
    this.data = data;
    this.maySkip = !table.descriptor().version().hasTrieIndex();
  }

  void startPartition() {
    previousOffset = 0;
  }

  /** Checks the current row or marker. */
  void verify() throws IOException {
    long offset = data.unfilteredPosition() - data.partitionPosition();
    long said = data.unfiltered().previousSize();
    if (said != offset - previousOffset && !(maySkip && said == 0)) {
      throw table.dataCorrupt(
          data.unfilteredPosition(),
          "the size before is said to be " + said + ", it is " + (offset - previousOffset));
    }
    previousOffset = offset;
  }
}
