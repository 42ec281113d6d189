package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import java.util.ArrayList;
import java.util.List;

/** What becomes of one row, as it is told; confined to one thread. */
final class RowChange {
  final byte[][] clustering;
  final List<CellChange> cells = new ArrayList<>();

  long livenessTimestamp = DeletionTime.NO_TIMESTAMP;
  int livenessTtl = DeletionTime.NO_TTL;
  long livenessExpirationTime = DeletionTime.NO_DELETION_TIME;
  long deletionTimestamp = DeletionTime.NO_TIMESTAMP;
  long deletionLocalTime = DeletionTime.NO_DELETION_TIME;

  RowChange(byte[][] clustering) {
    this.clustering = clustering;
  }
}
