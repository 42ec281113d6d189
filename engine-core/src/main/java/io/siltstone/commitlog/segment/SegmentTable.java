package io.siltstone.commitlog.segment;

import java.util.UUID;

/** Up to where a segment has changes of a table. Guarded by the lock of the log's tail. */
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

  /** A record that ends at {@code position} changes the table. */
  void touch(int position) {
    dirtyTo = position;
  }

  /** Changes up to {@code position} are kept elsewhere. */
  void clean(int position) {
    if (dirtyTo <= position) {
      dirtyTo = 0;
    }
  }

  boolean isDirty() {
    return dirtyTo != 0;
  }
}
