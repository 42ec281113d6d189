package io.siltstone.commitlog.segment;

import io.siltstone.bytes.BigEndian;
import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.Closeable;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/**
 * The end of the commit log: appends records to the buffer, and tracks the segments and which
 * tables need them. One lock guards all of it. It is taken before that of the writer, and not held
 * during the write of a record that fits the buffer.
 */
final class LogTail {
  private final LogBuffer buffer;
  private final SyncProgress progress;
  private final SegmentCleaner cleaner;
  private final OpenSegments open;
  private final SegmentWriter writer;
  private final LogSyncer syncer;
  private final InstantSource clock;
  private final int segmentBytes;
  private final long totalSpaceBytes;
  private final ReentrantLock lock = new ReentrantLock();

  // All fields below are guarded by the lock.
  private final Deque<Segment> segments;
  private Segment active;
  private long end;
  private long marked;
  private long counts;
  private boolean closed;
  private final byte[] scratch =
      new byte[SegmentFormat.RECORD_HEAD_BYTES + SegmentFormat.PART_HEAD_BYTES];
  private final byte[] body = new byte[SegmentFormat.POSITION_BYTES];
  private final CRC32 crc = new CRC32();

  LogTail(
      LogBuffer buffer,
      SyncProgress progress,
      SegmentCleaner cleaner,
      OpenSegments open,
      SegmentWriter writer,
      LogSyncer syncer,
      InstantSource clock,
      CommitLogOptions options,
      Deque<Segment> segments) {
    this.buffer = buffer;
    this.progress = progress;
    this.cleaner = cleaner;
    this.open = open;
    this.writer = writer;
    this.syncer = syncer;
    this.clock = clock;
    this.segmentBytes = options.segmentBytes();
    this.totalSpaceBytes = options.totalSpaceBytes();
    this.segments = new ArrayDeque<>(segments);
    this.active = segments.getLast();
  }

  /**
   * Appends a record, which must not be too large, hands it to the operating system, and returns
   * its end in the stream.
   */
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
    } finally {
      lock.unlock();
    }
    writer.write(position);
    syncer.wrote();
    if (exceeded > totalSpaceBytes) {
      progress.callListenerOfSpace(exceeded);
    }
    return position;
  }

  /**
   * Rejects a record that exceeds a segment's positions, which are ints: that of very many tables
   * with large headers may.
   */
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
      // The buffer may contain a part of the record.
      syncer.fail(open.lastPath(), e);
      throw e;
    }
  }

  private long bytesWithTables(LogRecord record) {
    long bytes = record.bodyBytes() + SegmentFormat.RECORD_OVERHEAD + SegmentFormat.SYNCED_BYTES;
    counts++;
    for (int part = 0; part < record.parts(); part++) {
      LogTable table = record.table(part);
      if (table.accountIn(active) == null && table.countIn(counts)) {
        bytes +=
            SegmentFormat.RECORD_OVERHEAD
                + SegmentFormat.TABLE_HEAD_BYTES
                + (long) table.header().length;
      }
    }
    return bytes;
  }

  /** Begins another segment, and reports the size of the log. */
  private long startSegment() throws CommitLogFailedException {
    long id = Math.max(active.id() + 1, clock.millis());
    Segment next = Segment.create(id, segments.getFirst().id(), end);
    active.finish(next);
    segments.add(next);
    active = next;
    dropClean();
    return diskBytesLocked();
  }

  /** Writes a "synced" record if more is synced than the last one says. */
  private void mark() throws CommitLogFailedException {
    long synced = progress.synced();
    if (synced > marked) {
      CommitLogPosition position = open.positionOf(synced);
      BigEndian.putLong(body, 0, position.segmentId());
      BigEndian.putInt(body, Long.BYTES, position.position());
      putRecord(SegmentFormat.SYNCED, SegmentFormat.POSITION_BYTES);
      marked = synced;
    }
  }

  /** Puts one of the log's own records, with the contents of the body. */
  private void putRecord(byte type, int length) throws CommitLogFailedException {
    crc.reset();
    crc.update(body, 0, length);
    int checksum = (int) crc.getValue();
    putHead(type, length);
    put(body, 0, length);
    putInt(checksum);
  }

  /** Writes the definition of a table, if the segment does not have it yet. */
  private void declare(LogTable table) throws CommitLogFailedException {
    if (table.accountIn(active) == null) {
      putTable(table);
    }
  }

  private void putTable(LogTable table) throws CommitLogFailedException {
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
    // Most records have one part, whose head is put together with that of the record.
    int headBytes = setHead(record.type().code(), (int) record.bodyBytes());
    for (int part = 0; part < record.parts(); part++) {
      record.copyPartHead(part, scratch, headBytes);
      put(scratch, 0, headBytes + SegmentFormat.PART_HEAD_BYTES);
      put(record.array(part), record.offset(part), record.length(part));
      headBytes = 0;
    }
    putInt(checksum);
  }

  private void putHead(byte type, int length) throws CommitLogFailedException {
    put(scratch, 0, setHead(type, length));
  }

  /** Sets the head of the next record in the scratch array, and returns its length. */
  private int setHead(byte type, int length) {
    int checksum = active.headChecksum().of(active.offsetOf(end), length, type);
    BigEndian.putInt(scratch, 0, length);
    scratch[4] = type;
    BigEndian.putInt(scratch, 5, checksum);
    return SegmentFormat.RECORD_HEAD_BYTES;
  }

  private void putInt(int value) throws CommitLogFailedException {
    BigEndian.putInt(scratch, 0, value);
    put(scratch, 0, Integer.BYTES);
  }

  /** Puts bytes at the end of the stream, in pieces if they exceed the buffer. */
  private void put(byte[] src, int offset, int length) throws CommitLogFailedException {
    int done = 0;
    while (done < length) {
      long room = buffer.capacity() - (end - progress.written());
      if (room <= 0) {
        makeRoom();
      } else {
        int count = (int) Math.min(room, length - done);
        buffer.put(end, src, offset + done, count);
        end += count;
        done += count;
      }
    }
  }

  /** Writes a part of the full buffer before any other thread can append. */
  private void makeRoom() throws CommitLogFailedException {
    buffer.publish(end);
    writer.makeRoom(end - buffer.capacity() + 1);
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

  /**
   * Drops the oldest segments that no table needs, and writes a record with the id of the new first
   * one.
   *
   * @return whether there were any
   */
  private boolean dropClean() throws CommitLogFailedException {
    int clean = 0;
    for (Segment segment : segments) {
      if (segment == active || segment.isDirty()) {
        BigEndian.putLong(body, 0, segment.id());
        break;
      }
      clean++;
    }
    if (clean == 0) {
      return false;
    }
    putRecord(SegmentFormat.BEGINS, Long.BYTES);
    complete();
    for (int i = 0; i < clean; i++) {
      cleaner.discard(segments.removeFirst(), end);
    }
    return true;
  }

  /** Declares that changes of a table up to a position are durable elsewhere. */
  void discard(UUID table, CommitLogPosition upTo) {
    long position = 0;
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
      if (!progress.isFailed() && dropClean()) {
        position = end;
      }
    } catch (CommitLogFailedException e) {
      // The listener is called, and the segments stay.
    } finally {
      lock.unlock();
    }
    syncTo(position);
  }

  /** Writes all bytes before {@code position}, and requests a sync. */
  private void syncTo(long position) {
    try {
      writer.write(position);
      syncer.requestSync(position);
    } catch (CommitLogFailedException e) {
      // The listener is called, as above.
    }
  }

  /** Switches to another segment, whose file exists, and returns the previous one. */
  Segment rotate() throws CommitLogFailedException {
    Segment before;
    lock.lock();
    try {
      requireOpen();
      progress.requireNotFailed();
      before = active;
      startSegment();
    } finally {
      lock.unlock();
    }
    writer.writeAll();
    return before;
  }

  CommitLogPosition position() {
    lock.lock();
    try {
      return new CommitLogPosition(active.id(), active.length());
    } finally {
      lock.unlock();
    }
  }

  /** Keeps all segments; see {@link SegmentCleaner#hold}. */
  Closeable hold() {
    return cleaner.hold();
  }

  /** Returns the end of the stream. */
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

  /** Rejects records from now on; returns whether this call was the first to do so. */
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

  /**
   * Writes the position that is synced after the last record. If nothing was appended, the header
   * of the segment has said it.
   */
  void markEnd() throws CommitLogFailedException {
    lock.lock();
    try {
      if (end > 0) {
        mark();
        complete();
      }
    } finally {
      lock.unlock();
    }
  }
}
