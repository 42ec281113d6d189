package io.siltstone.table;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the timestamps of logged changes. All timestamps of a change count for the clock, not only
 * the greatest, which may have been given by a user. Confined to one thread.
 */
final class LoggedTimestamps {
  private final @Nullable AutomaticTimestamps automatic;
  private long last = DeletionTime.NO_TIMESTAMP;
  private long greatest;

  /**
   * @param automatic continue after those that are read; null for reading only
   */
  LoggedTimestamps(@Nullable AutomaticTimestamps automatic) {
    this.automatic = automatic;
  }

  /** Notes the time that the clock had reached when a segment was begun. */
  void readSegment(long createdMicros) {
    if (automatic != null) {
      automatic.continueAfterSegment(createdMicros);
    }
  }

  /**
   * Reads a change.
   *
   * @return its greatest timestamp
   * @throws IOException if it is damaged
   */
  long read(PartitionUpdate update) throws IOException {
    greatest = DeletionTime.NO_TIMESTAMP;
    note(update.deletionTimestamp());
    PartitionCursor cursor = update.cursor();
    cursor.nextPartition();
    while (cursor.nextUnfiltered()) {
      Unfiltered unfiltered = cursor.unfiltered();
      note(unfiltered.deletionTimestamp());
      if (unfiltered.isMarker()) {
        note(unfiltered.openTimestamp());
      } else {
        readRow(unfiltered);
      }
    }
    return greatest;
  }

  private void readRow(Unfiltered row) throws IOException {
    note(row.livenessTimestamp());
    while (row.nextColumn()) {
      if (row.isComplex()) {
        note(row.complexDeletionTimestamp());
      }
      while (row.nextCell()) {
        note(row.cellTimestamp());
      }
    }
  }

  private void note(long timestamp) {
    greatest = Math.max(greatest, timestamp);
    // Most timestamps of a change are equal.
    if (timestamp != last && !DeletionTime.isLive(timestamp)) {
      last = timestamp;
      if (automatic != null) {
        automatic.continueAfter(timestamp);
      }
    }
  }
}
