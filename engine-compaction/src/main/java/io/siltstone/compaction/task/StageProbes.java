package io.siltstone.compaction.task;

import io.siltstone.cursor.PartitionCursor;

/**
 * Cursors that tests insert between the stages of a merge, to check that a loss there is detected.
 * In operation there are none.
 */
interface StageProbes {
  /** Inserts nothing. */
  StageProbes NONE = new StageProbes() {};

  /** Returns the cursor that the merge reads instead of an input's. */
  default PartitionCursor input(PartitionCursor cursor) {
    return cursor;
  }

  /** Returns the cursor that the purge reads instead of the merge's. */
  default PartitionCursor merged(PartitionCursor cursor) {
    return cursor;
  }

  /** Returns the cursor that is written instead of the purge's. */
  default PartitionCursor purged(PartitionCursor cursor) {
    return cursor;
  }
}
