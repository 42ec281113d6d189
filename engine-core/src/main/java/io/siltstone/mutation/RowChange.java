package io.siltstone.mutation;

import io.siltstone.cursor.DeletionTime;
import java.util.ArrayList;
import java.util.List;

/** The pending changes of one row, in the order of the builder's calls. Confined to one thread. */
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
