package io.siltstone.commitlog.segment;

import java.util.UUID;

/**
 * Tracks whether a commit-log segment still has unflushed changes of a table. Guarded by the lock
 * of the log's tail.
 */
final class SegmentTable {
  private final Segment segment;
  private final UUID id;
  private int dirtyTo;

  SegmentTable(Segment segment, UUID id) {
    this.segment = segment;
    this.id = id;
  }

  Segment segment() {
    return segment;
  }

  UUID id() {
    return id;
  }

  /** Notes that a record which ends at {@code position} changes the table. */
  void touch(int position) {
    dirtyTo = position;
  }

  /** Notes that changes up to {@code position} are durable elsewhere. */
  void clean(int position) {
    if (dirtyTo <= position) {
      dirtyTo = 0;
    }
  }

  boolean isDirty() {
    return dirtyTo != 0;
  }
}
