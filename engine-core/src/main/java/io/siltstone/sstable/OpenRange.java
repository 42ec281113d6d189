package io.siltstone.sstable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;

/** The range tombstone that is open where a walk over a partition stands, if one is. */
final class OpenRange {
  private long timestamp;
  private long localTime;

  void startPartition() {
    timestamp = DeletionTime.NO_TIMESTAMP;
    localTime = DeletionTime.NO_DELETION_TIME;
  }

  /** Passes a marker, which has been read. */
  void pass(Unfiltered marker) {
    boolean isOpen = marker.clustering().kind().opens();
    timestamp = isOpen ? marker.openTimestamp() : DeletionTime.NO_TIMESTAMP;
    localTime = isOpen ? marker.openLocalTime() : DeletionTime.NO_DELETION_TIME;
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
