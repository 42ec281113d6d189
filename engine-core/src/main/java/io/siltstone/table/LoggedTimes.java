package io.siltstone.table;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.mutation.WriteClock;
import java.io.IOException;

/**
 * Lets a clock go on behind the timestamps of changes: behind each, because the greatest of a
 * change may be one that a user gave. Confined to one thread.
 */
final class LoggedTimes {
  private final WriteClock clock;
  private long last = DeletionTime.NO_TIMESTAMP;

  LoggedTimes(WriteClock clock) {
    this.clock = clock;
  }

  /**
   * Reads a change.
   *
   * @throws IOException if it is damaged
   */
  void read(PartitionUpdate update) throws IOException {
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
    // Most of a change have the same.
    if (timestamp != last && !DeletionTime.isLive(timestamp)) {
      last = timestamp;
      clock.goBehind(timestamp);
    }
  }
}
