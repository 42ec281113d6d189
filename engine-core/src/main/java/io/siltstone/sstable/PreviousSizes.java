package io.siltstone.sstable;

import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;

/** Checks that each row and marker of a partition records the size of the one before. */
final class PreviousSizes {
  private final SSTable table;
  private final DataCursor data;
  private long previousOffset;

  PreviousSizes(SSTable table, DataCursor data) {
    this.table = table;
    this.data = data;
  }

  void startPartition() {
    previousOffset = 0;
  }

  /** Checks the current row or marker. */
  void verify() throws IOException {
    long offset = data.unfilteredPosition() - data.partitionPosition();
    if (data.unfiltered().previousSize() != offset - previousOffset) {
      throw table.dataCorrupt(
          data.unfilteredPosition(),
          "the size before is said to be "
              + data.unfiltered().previousSize()
              + ", it is "
              + (offset - previousOffset));
    }
    previousOffset = offset;
  }
}
