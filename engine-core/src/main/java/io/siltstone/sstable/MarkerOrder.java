package io.siltstone.sstable;

import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.sstable.data.DataCursor;
import java.io.IOException;

/** That markers of a partition open ranges and close those that are open; knows which is. */
final class MarkerOrder {
  private final SSTable table;
  private final DataCursor data;
  private boolean isOpen;
  private long timestamp;
  private long localTime;

  MarkerOrder(SSTable table, DataCursor data) {
    this.table = table;
    this.data = data;
  }

  void startPartition() {
    isOpen = false;
    timestamp = DeletionTime.NO_TIMESTAMP;
    localTime = DeletionTime.NO_DELETION_TIME;
  }

  /** Takes the present marker. */
  void verify() throws IOException {
    Unfiltered marker = data.unfiltered();
    ClusteringKind kind = marker.clustering().kind();
    if (kind.closes() != isOpen || (isOpen && marker.deletionTimestamp() != timestamp)) {
      throw table.dataCorrupt(
          data.unfilteredPosition(),
          "a " + kind + (isOpen ? " within a range" : " outside of a range"));
    }
    isOpen = kind.opens();
    timestamp = isOpen ? marker.openTimestamp() : DeletionTime.NO_TIMESTAMP;
    localTime = isOpen ? marker.openLocalTime() : DeletionTime.NO_DELETION_TIME;
  }

  void endPartition() throws IOException {
    if (isOpen) {
      throw table.dataCorrupt(
          data.partitionPosition(), "a range tombstone of " + data.key() + " has no end");
    }
  }

  /** Timestamp of the range that is open, {@link DeletionTime#NO_TIMESTAMP} if none is. */
  long openTimestamp() {
    return timestamp;
  }

  /** Local deletion time that belongs to {@link #openTimestamp()}. */
  long openLocalTime() {
    return localTime;
  }
}
