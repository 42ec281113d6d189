package io.siltstone.commitlog.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A commit-log segment: its place in the stream of all bytes appended since the log was opened, and
 * the tables that still need it. The tables are guarded by the lock of the log's tail; the fields
 * that the syncing thread reads are volatile.
 */
final class Segment {
  private final long id;
  private final long firstId;
  private final long streamStart;
  private final SegmentFormat.HeadChecksum headChecksum;
  private final List<SegmentTable> tables = new ArrayList<>();
  private int length;
  private volatile @Nullable Segment next;
  private volatile boolean complete;
  private volatile boolean settled;
  private volatile @Nullable IOException archiveFailure;

  private Segment(long id, long firstId, long streamStart, int length) {
    this.id = id;
    this.firstId = firstId;
    this.streamStart = streamStart;
    this.length = length;
    this.headChecksum = new SegmentFormat.HeadChecksum(id);
  }

  /**
   * Returns a new segment.
   *
   * @param firstId id of the oldest segment that is needed now
   * @param streamStart position of its first record in the stream
   */
  static Segment create(long id, long firstId, long streamStart) {
    return new Segment(id, firstId, streamStart, SegmentFormat.HEADER_BYTES);
  }

  /**
   * Returns a segment that an earlier run of the database left, with changes of the given tables.
   */
  static Segment adopt(ReplayedLog.Segment found) {
    Segment segment = new Segment(found.id(), found.id(), 0, (int) found.length());
    found
        .tables()
        .forEach(
            (table, end) -> {
              SegmentTable account = new SegmentTable(segment, table);
              account.touch(end);
              segment.tables.add(account);
            });
    segment.complete = true;
    return segment;
  }

  long id() {
    return id;
  }

  /** Returns the id of the oldest segment that was needed when this one was begun. */
  long firstId() {
    return firstId;
  }

  String name() {
    return SegmentFormat.name(id);
  }

  SegmentFormat.HeadChecksum headChecksum() {
    return headChecksum;
  }

  /** Returns the position of its first record in the stream. */
  long streamStart() {
    return streamStart;
  }

  /** Returns the number of bytes of its file, with all that was appended to it. */
  int length() {
    return length;
  }

  /** Returns the offset in its file of a position of the stream. */
  int offsetOf(long stream) {
    return Math.toIntExact(stream - streamStart + SegmentFormat.HEADER_BYTES);
  }

  /** Notes that all bytes before {@code stream} were appended. */
  void appendedTo(long stream) {
    length = offsetOf(stream);
  }

  /** Completes the segment; records continue in {@code segment}. */
  void finish(Segment segment) {
    next = segment;
  }

  /**
   * Returns the next segment of this run of the database, or null while this is the current one.
   */
  @Nullable Segment next() {
    return next;
  }

  /** Notes that its file is complete, synced and closed. */
  void completed() {
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  /** Notes that it is complete and, if the log has an archive, that archiving has ended. */
  void settle(@Nullable IOException failure) {
    archiveFailure = failure;
    settled = true;
  }

  boolean isSettled() {
    return settled;
  }

  /** Returns whether it may be deleted as far as the archive is concerned. */
  boolean isArchived() {
    return settled && archiveFailure == null;
  }

  /** Returns why it could not be archived, or null. */
  @Nullable IOException archiveFailure() {
    return archiveFailure;
  }

  SegmentTable account(UUID table) {
    SegmentTable account = new SegmentTable(this, table);
    tables.add(account);
    return account;
  }

  void clean(UUID table, int position) {
    for (SegmentTable account : tables) {
      if (account.id().equals(table)) {
        account.clean(position);
      }
    }
  }

  boolean isDirty() {
    for (SegmentTable account : tables) {
      if (account.isDirty()) {
        return true;
      }
    }
    return false;
  }

  Set<UUID> dirtyTables() {
    Set<UUID> dirty = new LinkedHashSet<>();
    for (SegmentTable account : tables) {
      if (account.isDirty()) {
        dirty.add(account.id());
      }
    }
    return dirty;
  }
}
