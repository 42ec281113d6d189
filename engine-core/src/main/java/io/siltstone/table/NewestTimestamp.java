package io.siltstone.table;

import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.Unfiltered;
import java.io.IOException;

/** Finds the greatest timestamp of rows and markers. Confined to one thread. */
final class NewestTimestamp {
  private long micros = DeletionTime.NO_TIMESTAMP;

  /** Returns the greatest so far, {@link DeletionTime#NO_TIMESTAMP} for none. */
  long micros() {
    return micros;
  }

  void note(long timestamp) {
    micros = Math.max(micros, timestamp);
  }

  /**
   * Reads a row or marker whose columns have not been walked.
   *
   * @throws IOException if it is damaged
   */
  void read(Unfiltered unfiltered) throws IOException {
    note(unfiltered.deletionTimestamp());
    if (unfiltered.isMarker()) {
      note(unfiltered.openTimestamp());
      return;
    }
    note(unfiltered.livenessTimestamp());
    while (unfiltered.nextColumn()) {
      if (unfiltered.isComplex()) {
        note(unfiltered.complexDeletionTimestamp());
      }
      while (unfiltered.nextCell()) {
        note(unfiltered.cellTimestamp());
      }
    }
  }
}
