package io.siltstone.sstable;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;

/**
 * The range tombstone that is open at the current position of a walk over a partition, if there is
 * one.
 */
final class OpenRange {
  private long timestamp;
  private long localTime;

  void startPartition() {
    timestamp = DeletionTime.NO_TIMESTAMP;
    localTime = DeletionTime.NO_DELETION_TIME;
  }

  /** Updates the range by a marker, which has been read. */
  void pass(Unfiltered marker) {
    boolean isOpen = marker.clustering().kind().opens();
    timestamp = isOpen ? marker.openTimestamp() : DeletionTime.NO_TIMESTAMP;
    localTime = isOpen ? marker.openLocalTime() : DeletionTime.NO_DELETION_TIME;
  }

  /** Returns the timestamp of the open range, {@link DeletionTime#NO_TIMESTAMP} if none is open. */
  long openTimestamp() {
    return timestamp;
  }

  /** Returns the local deletion time that belongs to {@link #openTimestamp()}. */
  long openLocalTime() {
    return localTime;
  }
}
