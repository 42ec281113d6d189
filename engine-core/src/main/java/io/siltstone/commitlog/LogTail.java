package io.siltstone.commitlog;

import io.siltstone.bytes.BigEndian;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/**
 * The end of the log, where records are put into the buffer, and the segments that lead to it. One
 * lock guards all of it; it is taken before the worker's.
 */
final class LogTail {
  private final LogBuffer buffer;
  private final SyncProgress progress;
  private final SegmentCleaner cleaner;
  private final LogWorker worker;
  private final InstantSource clock;
  private final int segmentBytes;
  private final long totalSpaceBytes;
  private final ReentrantLock lock = new ReentrantLock();

  // All below is guarded by the lock.
  private final Deque<Segment> segments;
  private Segment active;
  private long end;
  private long marked;
  private boolean closed;
  private final byte[] scratch = new byte[SegmentFormat.TABLE_HEAD_BYTES];
  private final CRC32 crc = new CRC32();

  LogTail(
      LogBuffer buffer,
      SyncProgress progress,
      SegmentCleaner cleaner,
      LogWorker worker,
      InstantSource clock,
      CommitLogOptions options,
      Deque<Segment> segments) {
    this.buffer = buffer;
    this.progress = progress;
    this.cleaner = cleaner;
    this.worker = worker;
    this.clock = clock;
    this.segmentBytes = options.segmentBytes();
    this.totalSpaceBytes = options.totalSpaceBytes();
    this.segments = new ArrayDeque<>(segments);
    this.active = segments.getLast();
  }

  /** Appends a record, which is not too large, and says where the stream ends behind it. */
  long append(LogRecord record) throws CommitLogFailedException {
    int checksum = record.bodyChecksum();
    long exceeded = 0;
    long position;
    lock.lock();
    try {
      requireOpen();
      progress.requireNotFailed();
      if (active.length() > SegmentFormat.HEADER_BYTES
          && active.length() + bytesWithTables(record) > segmentBytes) {
        exceeded = startSegment();
      }
      requirePositions(active.length() + bytesWithTables(record));
      put(record, checksum);
      position = end;
      worker.appended(end);
    } finally {
      lock.unlock();
    }
    if (exceeded > totalSpaceBytes) {
      progress.callListenerOfSpace(exceeded);
    }
    return position;
  }

  /** Positions are ints: a record of a great many tables with large headers may be too much. */
  private static void requirePositions(long length) {
    if (length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a commit log segment of " + length + " bytes with the headers of a record's tables");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("commit log is closed");
    }
  }

  private void put(LogRecord record, int checksum) throws CommitLogFailedException {
    try {
      mark();
      for (int part = 0; part < record.parts(); part++) {
        declare(record.table(part));
      }
      putBody(record, checksum);
      complete();
      touch(record);
    } catch (RuntimeException | Error e) {
      // A part of the record may be in the buffer.
      worker.fail(e);
      throw e;
    }
  }

  private long bytesWithTables(LogRecord record) {
    long bytes = record.bodyBytes() + SegmentFormat.RECORD_OVERHEAD + SegmentFormat.SYNCED_BYTES;
    for (int part = 0; part < record.parts(); part++) {
      LogTable table = record.table(part);
      if (table.accountIn(active) == null) {
        bytes +=
            SegmentFormat.RECORD_OVERHEAD
                + SegmentFormat.TABLE_HEAD_BYTES
                + (long) table.header().length;
      }
    }
    return bytes;
  }

  /** Goes on in another segment, and says how large the log is now. */
  private long startSegment() {
    Segment next = Segment.create(Math.max(active.id() + 1, clock.millis()), end);
    active.finish(next);
    segments.add(next);
    active = next;
    marked = end;
    dropClean();
    return diskBytesLocked();
  }

  /** Tells what of the active segment is synced, if that is more than was told before. */
  private void mark() throws CommitLogFailedException {
    long synced = progress.synced();
    if (synced > marked) {
      BigEndian.putInt(scratch, 0, active.offsetOf(synced));
      crc.reset();
      crc.update(scratch, 0, Integer.BYTES);
      int checksum = (int) crc.getValue();
      putHead(SegmentFormat.SYNCED, Integer.BYTES);
      BigEndian.putInt(scratch, 0, active.offsetOf(synced));
      put(scratch, 0, Integer.BYTES);
      putInt(checksum);
      marked = synced;
    }
  }

  private void declare(LogTable table) throws CommitLogFailedException {
    if (table.accountIn(active) != null) {
      return;
    }
    byte[] head = new byte[SegmentFormat.TABLE_HEAD_BYTES];
    BigEndian.putInt(head, 0, table.number());
    BigEndian.putLong(head, 4, table.id().getMostSignificantBits());
    BigEndian.putLong(head, 12, table.id().getLeastSignificantBits());
    byte[] header = table.header();
    crc.reset();
    crc.update(head);
    crc.update(header);
    putHead(SegmentFormat.TABLE, head.length + header.length);
    put(head, 0, head.length);
    put(header, 0, header.length);
    putInt((int) crc.getValue());
    table.account(active.account(table.id()));
  }

  private void putBody(LogRecord record, int checksum) throws CommitLogFailedException {
    putHead(record.type().code(), (int) record.bodyBytes());
    for (int part = 0; part < record.parts(); part++) {
      put(record.partHead(part), 0, SegmentFormat.PART_HEAD_BYTES);
      put(record.array(part), record.offset(part), record.length(part));
    }
    putInt(checksum);
  }

  private void putHead(byte type, int length) throws CommitLogFailedException {
    int checksum = active.headChecksum().of(active.offsetOf(end), length, type);
    BigEndian.putInt(scratch, 0, length);
    scratch[4] = type;
    BigEndian.putInt(scratch, 5, checksum);
    put(scratch, 0, SegmentFormat.RECORD_HEAD_BYTES);
  }

  private void putInt(int value) throws CommitLogFailedException {
    BigEndian.putInt(scratch, 0, value);
    put(scratch, 0, Integer.BYTES);
  }

  /** Puts bytes at the end of the stream, in pieces if they are more than the buffer takes. */
  private void put(byte[] src, int offset, int length) throws CommitLogFailedException {
    int done = 0;
    while (done < length) {
      long room = buffer.capacity() - (end - progress.written());
      if (room <= 0) {
        awaitRoom();
      } else {
        int count = (int) Math.min(room, length - done);
        buffer.put(end, src, offset + done, count);
        end += count;
        done += count;
      }
    }
  }

  /** The buffer is full: waits, with all who append, until a part of it is written. */
  private void awaitRoom() throws CommitLogFailedException {
    buffer.publish(end);
    worker.requestWrite();
    progress.awaitWritten(end - buffer.capacity() + 1);
  }

  private void complete() {
    active.appendedTo(end);
    buffer.complete(end);
  }

  private void touch(LogRecord record) {
    for (int part = 0; part < record.parts(); part++) {
      SegmentTable account = record.table(part).accountIn(active);
      if (account != null) {
        account.touch(active.length());
      }
    }
  }

  /** Forgets segments that came from a process which wrote nothing into them. */
  void dropEmpty() {
    lock.lock();
    try {
      dropClean();
    } finally {
      lock.unlock();
    }
  }

  /** Forgets the oldest segments as far as nothing in them is needed. */
  private void dropClean() {
    while (segments.getFirst() != active && !segments.getFirst().isDirty()) {
      cleaner.discard(segments.removeFirst());
    }
  }

  /** Changes of the table up to that position are kept elsewhere. */
  void discard(UUID table, CommitLogPosition upTo) {
    lock.lock();
    try {
      requireOpen();
      for (Iterator<Segment> all = segments.iterator(); all.hasNext(); ) {
        Segment segment = all.next();
        if (segment.id() > upTo.segmentId()) {
          break;
        }
        segment.clean(table, segment.id() < upTo.segmentId() ? Integer.MAX_VALUE : upTo.position());
      }
      dropClean();
    } finally {
      lock.unlock();
    }
    worker.signal();
  }

  /** Goes on in another segment, and gives the one before it. */
  Segment rotate() throws CommitLogFailedException {
    lock.lock();
    try {
      requireOpen();
      progress.requireNotFailed();
      Segment before = active;
      startSegment();
      return before;
    } finally {
      lock.unlock();
    }
  }

  CommitLogPosition position() {
    lock.lock();
    try {
      return new CommitLogPosition(active.id(), active.length());
    } finally {
      lock.unlock();
    }
  }

  /** Where the stream ends. */
  long end() {
    return buffer.complete();
  }

  long diskBytes() {
    lock.lock();
    try {
      return diskBytesLocked();
    } finally {
      lock.unlock();
    }
  }

  private long diskBytesLocked() {
    long bytes = 0;
    for (Segment segment : segments) {
      bytes += segment.length();
    }
    return bytes;
  }

  int segmentCount() {
    lock.lock();
    try {
      return segments.size();
    } finally {
      lock.unlock();
    }
  }

  Set<UUID> dirtyTablesOfOldest() {
    lock.lock();
    try {
      return segments.getFirst().dirtyTables();
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more records. Whether this call did so, and not an earlier one. */
  boolean close() {
    lock.lock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Tells, behind the last record, what is synced. */
  void markEnd() throws CommitLogFailedException {
    lock.lock();
    try {
      mark();
      complete();
    } finally {
      lock.unlock();
    }
  }
}
