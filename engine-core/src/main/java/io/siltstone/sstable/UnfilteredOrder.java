package io.siltstone.sstable;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringComparator;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;

/** That rows and markers of a partition ascend, and each tells the size of the one before. */
final class UnfilteredOrder {
  private final SSTable table;
  private final DataCursor data;
  private final ClusteringComparator comparator;
  private final Clustering previous = new Clustering();
  private boolean hasPrevious;
  private long previousOffset;

  UnfilteredOrder(SSTable table, DataCursor data) {
    this.table = table;
    this.data = data;
    this.comparator = new ClusteringComparator(table.header().clusteringTypes());
  }

  void startPartition() {
    hasPrevious = false;
    previousOffset = 0;
  }

  /** Takes the present row or marker. */
  void verify() throws IOException {
    Unfiltered unfiltered = data.unfiltered();
    if (hasPrevious && comparator.compare(previous, unfiltered.clustering()) >= 0) {
      throw table.dataCorrupt(
          data.unfilteredPosition(), "rows of " + data.key() + " are out of order");
    }
    long offset = data.unfilteredPosition() - data.partitionPosition();
    if (unfiltered.previousSize() != offset - previousOffset) {
      throw table.dataCorrupt(
          data.unfilteredPosition(),
          "the size before is said to be "
              + unfiltered.previousSize()
              + ", it is "
              + (offset - previousOffset));
    }
    previous.copyFrom(unfiltered.clustering());
    hasPrevious = true;
    previousOffset = offset;
  }
}
