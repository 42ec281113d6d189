package io.siltstone.compaction.task;

import io.siltstone.cursor.PartitionCursor;

/**
 * What stands between the stages of a merge: nothing, except in tests, which see whether what is
 * lost there is noticed.
 */
interface StageProbes {
  /** Nothing stands between. */
  StageProbes PLAIN = new StageProbes() {};

  /** What the merge reads of an input. */
  default PartitionCursor input(PartitionCursor cursor) {
    return cursor;
  }

  /** What the purge reads. */
  default PartitionCursor merged(PartitionCursor cursor) {
    return cursor;
  }

  /** What is written. */
  default PartitionCursor purged(PartitionCursor cursor) {
    return cursor;
  }
}
