package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The commit log of one database, while it is written.
 *
 * <p>Every record is handed to the operating system before {@link #append} returns, by the thread
 * that appends it or by another one that is writing anyway: what was appended survives the death of
 * the process. One thread of the log syncs, when the mode asks for it; nobody who has not asked for
 * a sync waits for one, unless so many segments are not yet synced that no other is begun. Segments
 * follow each other; the oldest are deleted as soon as no table needs them, so that what is on disk
 * is always the log's end without a gap. {@link SegmentFormat} tells the form of the files, {@link
 * CommitLogReplay} reads them.
 *
 * <p>A failed write, sync, creation or deletion ends the log: from then on {@link #append} and
 * those who wait get a {@link CommitLogFailedException}, and the listener is told once. What was
 * synced before remains so.
 *
 * <p>Safe for all threads. The opener closes it. Every call after that is an {@link
 * IllegalStateException}, but for those that ask for what has been synced.
 */
public final class CommitLog implements Closeable {
  // A table's definition, however large, is no fault of the record that needs it.
  private static final int MAX_HEADER_BYTES = 16 << 20;

  private final SyncMode mode;
  private final int maxRecordBytes;
  private final LogBuffer buffer;
  private final SyncProgress progress;
  private final SegmentWriter writer;
  private final LogSyncer syncer;
  private final LogTail tail;
  private final AtomicInteger tables = new AtomicInteger();

  private CommitLog(
      CommitLogOptions options,
      LogBuffer buffer,
      SyncProgress progress,
      SegmentWriter writer,
      LogSyncer syncer,
      LogTail tail) {
    this.mode = options.syncMode();
    this.maxRecordBytes = options.maxRecordBytes();
    this.buffer = buffer;
    this.progress = progress;
    this.writer = writer;
    this.syncer = syncer;
    this.tail = tail;
  }

  /**
   * Continues the log of a directory, in a new segment.
   *
   * @param replayed what {@link CommitLogReplay} found in this directory, all of it. Its segments
   *     stay until {@link #discard} was called for the tables they have changes of
   * @param idsAfter the new segments' ids are greater: the greatest that the database knows from
   *     its tables, so that a clock turned back cannot bring an id twice; -1 if it knows none
   * @throws IllegalArgumentException if the directory has other segments than were replayed
   * @throws IOException if the first segment cannot be made
   */
  public static CommitLog open(
      Directory directory,
      CommitLogOptions options,
      CommitLogServices services,
      ReplayedLog replayed,
      long idsAfter)
      throws IOException {
    replayed.settle(directory);
    Deque<Segment> segments = new ArrayDeque<>();
    replayed.segments().forEach(found -> segments.add(Segment.adopt(found)));
    CommitLogPosition before = replayed.end();
    long least = Math.max(Math.max(before.segmentId(), replayed.greatestId()), idsAfter) + 1;
    long id = Math.max(least, services.clock().millis());

    SyncProgress progress =
        new SyncProgress(services.callbacks(), services.events(), services.listener());
    SegmentCleaner cleaner =
        new SegmentCleaner(directory, options.archive(), progress, services.guard());
    segments.forEach(cleaner::completed);
    // Segments of a process that wrote nothing into them: the header of the first one tells it.
    while (!segments.isEmpty() && !segments.getFirst().isDirty()) {
      cleaner.discard(segments.removeFirst(), 0);
    }
    Segment first = Segment.create(id, segments.isEmpty() ? id : segments.getFirst().id(), 0);
    segments.add(first);
    OpenSegments open = new OpenSegments(before);
    LogBuffer buffer = new LogBuffer(services.memory(), options.bufferBytes());
    try {
      LogSyncer syncer = new LogSyncer(directory, open, cleaner, progress, options, services);
      SegmentWriter writer =
          new SegmentWriter(directory, buffer, progress, open, syncer, services, first, before);
      LogTail tail =
          new LogTail(
              buffer, progress, cleaner, open, writer, syncer, services.clock(), options, segments);
      CommitLog log = new CommitLog(options, buffer, progress, writer, syncer, tail);
      syncer.start();
      return log;
    } catch (Throwable e) {
      try (buffer;
          open) {
        throw e;
      }
    }
  }

  /**
   * A table as records name it. The header is written to a segment before the first record of the
   * table in it, and given to whoever replays the record.
   *
   * @param id of the table
   * @param name for messages
   * @param header what is needed to understand the table's changes; kept, not copied
   */
  public LogTable table(UUID id, String name, byte[] header) {
    if (header.length > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "the definition of "
              + name
              + " has "
              + header.length
              + " bytes, allowed "
              + MAX_HEADER_BYTES);
    }
    return new LogTable(this, tables.incrementAndGet(), id, name, header);
  }

  /** See {@link CommitLogOptions#maxRecordBytes()}. */
  public int maxRecordBytes() {
    return maxRecordBytes;
  }

  /**
   * Refuses a record that {@link #append} would refuse for its size.
   *
   * @throws IllegalArgumentException if it has more than {@link CommitLogOptions#maxRecordBytes()}
   */
  public void requireFits(LogRecord record) {
    if (record.bodyBytes() > maxRecordBytes) {
      throw new IllegalArgumentException(
          "a write of "
              + record.bodyBytes()
              + " bytes, the largest of "
              + record.parts()
              + " changes in "
              + record.largest()
              + "; allowed "
              + maxRecordBytes
              + ", half of segmentBytes of CommitLogOptions (commitlog_segment_size)");
    }
  }

  /**
   * Appends a record, and hands it to the operating system: when this returns, it survives the
   * death of the process. It survives a loss of power when {@link #awaitSynced} says so, and is
   * replayed wholly or not at all.
   *
   * @return where the log ends behind the record, counted in bytes from {@link #open} on
   * @throws IllegalArgumentException if the record is empty, names a table of another log, or has
   *     more than {@link CommitLogOptions#maxRecordBytes()}
   * @throws CommitLogFailedException if the log has failed; the record may be replayed nevertheless
   *     if it failed during this call
   */
  public long append(LogRecord record) throws CommitLogFailedException {
    if (record.parts() == 0) {
      throw new IllegalArgumentException("a commit log record without a change");
    }
    requireFits(record);
    for (int part = 0; part < record.parts(); part++) {
      if (record.table(part).log() != this) {
        throw new IllegalArgumentException(record.table(part) + " belongs to another commit log");
      }
    }
    return tail.append(record);
  }

  /**
   * Waits as the sync mode asks: in {@link SyncMode#PERIODIC} only if the sync is late, otherwise
   * until all before {@code position} is durable. An interrupt does not end it, and is kept.
   *
   * @param position what {@link #append} returned
   * @throws CommitLogFailedException if that can no longer be promised
   */
  public void awaitSynced(long position) throws CommitLogFailedException {
    if (progress.synced() < position && request(position)) {
      progress.awaitSynced(position);
    }
  }

  /**
   * As {@link #awaitSynced}, without blocking: the stage is done when that would return. What
   * depends on it runs in the executor that the log was given, or, if that rejects it until the log
   * is closed, in the thread that closes it.
   */
  public CompletionStage<Void> synced(long position) {
    try {
      if (progress.synced() < position && request(position)) {
        return progress.whenSynced(position);
      }
    } catch (CommitLogFailedException e) {
      return CompletableFuture.failedStage(e);
    }
    return CompletableFuture.completedStage(null);
  }

  /** Asks for the sync that the mode wants. Whether it is to be waited for. */
  private boolean request(long position) throws CommitLogFailedException {
    progress.requireNotFailed();
    switch (mode) {
      case PERIODIC -> {
        if (!syncer.isLate()) {
          return false;
        }
        syncer.requestSync(position);
      }
      case GROUP -> syncer.requestSharedSync(position);
      case BATCH -> syncer.requestSync(position);
    }
    return true;
  }

  /** Makes all that was appended before durable, whatever the mode. An interrupt is kept. */
  public void sync() throws CommitLogFailedException {
    long end = tail.end();
    if (progress.synced() < end) {
      progress.requireNotFailed();
      // Those who appended may not have come to it yet.
      writer.write(end);
      syncer.requestSync(end);
      progress.awaitSynced(end);
    }
  }

  /**
   * Where the log ends now. With every append to a table kept away, it divides the table's records:
   * {@link CommitLogReplay} gives those appended before positions below, and those after it
   * positions above; no record has this position.
   */
  public CommitLogPosition position() {
    return tail.position();
  }

  /**
   * All changes of the table up to {@code upTo}, inclusive, are durable elsewhere, or not wanted
   * any more. Segments that no table needs are deleted by the log's thread, oldest first, after it
   * has synced a record which says so.
   *
   * @param table also one that the log does not know
   * @param upTo what {@link #position} said. The caller sees to it that nothing before is missing,
   *     also when flushes of a table end in another order than they began
   */
  public void discard(UUID table, CommitLogPosition upTo) {
    tail.discard(table, upTo);
  }

  /**
   * Goes on in a new segment, and returns when all before is complete, synced and, if the log has
   * an archive, in the archive. An interrupt is kept.
   *
   * @throws IOException if the segment before it, or one before that, could not be archived
   */
  public void startSegment() throws IOException {
    Segment before = tail.rotate();
    progress.await(before::isSettled);
    IOException failure = before.archiveFailure();
    if (failure != null) {
      throw new IOException(before.name() + " is not archived: " + failure.getMessage(), failure);
    }
  }

  /** Bytes of all segments that are still needed, and of the one that is written. */
  public long diskBytes() {
    return tail.diskBytes();
  }

  /** How many segments are still needed, with the one that is written. */
  public int segmentCount() {
    return tail.segmentCount();
  }

  /** Bytes that were appended since {@link #open}, but are not yet durable. */
  long unsyncedBytes() {
    return Math.max(0, tail.end() - progress.synced());
  }

  /**
   * Tables that have to be flushed so that the oldest segment can be deleted; in no order. Empty if
   * that is the one that is written, and has nothing.
   */
  public Set<UUID> dirtyTablesOfOldest() {
    return tail.dirtyTablesOfOldest();
  }

  /**
   * Syncs what was appended, tells so at the log's end, and closes it. Those who wait get their
   * answer first. The segments stay.
   *
   * @throws IOException if that fails now; a log that had failed before is closed without one
   */
  @Override
  public void close() throws IOException {
    if (!tail.close()) {
      return;
    }
    try (buffer) {
      try {
        if (!progress.isFailed()) {
          sync();
          tail.markEnd();
          writer.writeAll();
          sync();
        }
      } finally {
        stop();
      }
    }
  }

  private void stop() throws IOException {
    try {
      syncer.stop();
    } finally {
      progress.end();
    }
  }
}
