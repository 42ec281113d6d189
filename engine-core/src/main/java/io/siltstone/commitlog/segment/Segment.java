package io.siltstone.commitlog.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One segment of a log: where its bytes lie in the stream of all that was appended since the log
 * was opened, and which tables still need it. The accounts are guarded by the lock of the log's
 * tail; what the thread of the log needs to know is volatile.
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
   * A new one.
   *
   * @param firstId of the oldest segment that is needed now
   * @param streamStart place of its first record in the stream
   */
  static Segment create(long id, long firstId, long streamStart) {
    return new Segment(id, firstId, streamStart, SegmentFormat.HEADER_BYTES);
  }

  /** One that an earlier run of the database left, with changes of these tables. */
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

  /** Id of the oldest segment that was needed when this one was begun. */
  long firstId() {
    return firstId;
  }

  String name() {
    return SegmentFormat.name(id);
  }

  SegmentFormat.HeadChecksum headChecksum() {
    return headChecksum;
  }

  /** Where in the stream its first record begins. */
  long streamStart() {
    return streamStart;
  }

  /** Bytes of its file, with all that was appended to it. */
  int length() {
    return length;
  }

  /** Offset in its file of a place of the stream. */
  int offsetOf(long stream) {
    return Math.toIntExact(stream - streamStart + SegmentFormat.HEADER_BYTES);
  }

  /** All before {@code stream} was appended. */
  void appendedTo(long stream) {
    length = offsetOf(stream);
  }

  /** Nothing more is appended to it; {@code segment} takes what follows. */
  void finish(Segment segment) {
    next = segment;
  }

  /** The one that follows it in this run of the database, or null while it is appended to. */
  @Nullable Segment next() {
    return next;
  }

  /** Its file has all of it, synced, and is closed. */
  void completed() {
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  /** It is complete, and archived if it has to be, or that failed. */
  void settle(@Nullable IOException failure) {
    archiveFailure = failure;
    settled = true;
  }

  boolean isSettled() {
    return settled;
  }

  /** Whether it may be deleted as far as the archive is concerned. */
  boolean isArchived() {
    return settled && archiveFailure == null;
  }

  /** Why it is not archived, or null. */
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
