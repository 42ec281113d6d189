package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.commitlog.SyncMode;
import io.siltstone.io.Directory;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.text.CountText;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The commit log (write-ahead log, WAL) of one database, open for writing.
 *
 * <p>Every record is handed to the operating system before {@link #append} returns, by the thread
 * that appends it or by another one that is already writing. So an appended record survives the
 * death of the process. One thread of the log syncs, as the sync mode requires, and all writes that
 * wait for a sync share it (group commit). A write that does not ask for a sync does not wait for
 * one, unless so many segments are not yet synced that no other may be begun. The log consists of
 * segments; the oldest are deleted as soon as no table needs them. The segments on disk are
 * therefore always the end of the log, without a gap. {@link SegmentFormat} documents the files,
 * {@link CommitLogReplay} reads them.
 *
 * <p>A failed write, sync, creation or deletion ends the log: all later calls of {@link #append}
 * and all waiting threads get a {@link CommitLogFailedException}, and the listener is called once.
 * Records synced before remain durable.
 *
 * <p>Safe for use by all threads. The opener closes it. After that, every call throws an {@link
 * IllegalStateException}, except those that ask whether records are synced.
 */
public final class CommitLog implements Closeable {
  // Table headers do not count against the record limit.
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
    this.maxRecordBytes = options.maxMutationBytes();
    this.buffer = buffer;
    this.progress = progress;
    this.writer = writer;
    this.syncer = syncer;
    this.tail = tail;
  }

  /**
   * Continues the log of a directory, in a new segment. After a clean close the segment is created
   * with the first record, so that a database that is only read writes nothing, and the segments
   * before stay until that record is synced.
   *
   * @param replayed the complete result of {@link CommitLogReplay} for this directory. Its segments
   *     stay until {@link #discard} was called for all tables that they have changes of
   * @param idsAfter lower bound of the ids of new segments: the greatest id that the database knows
   *     from its tables, so that no id is used twice if the clock is turned back; -1 if it knows
   *     none
   * @throws IllegalArgumentException if the directory has other segments than were replayed
   * @throws IOException if the first segment cannot be created
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
    // A process left segments without records, as the header of the first one shows.
    while (!segments.isEmpty() && !segments.getFirst().isDirty()) {
      cleaner.discard(segments.removeFirst(), replayed.isFlushed() ? 1 : 0);
    }
    Segment first = Segment.create(id, segments.isEmpty() ? id : segments.getFirst().id(), 0);
    segments.add(first);
    OpenSegments open = new OpenSegments(directory.path(), before);
    LogBuffer buffer = new LogBuffer(services.memory(), options.bufferBytes());
    try {
      LogSyncer syncer = new LogSyncer(directory, open, cleaner, progress, options, services);
      SegmentWriter writer =
          new SegmentWriter(directory, buffer, progress, open, syncer, services, first, before);
      if (!replayed.isFlushed()) {
        writer.createFirst();
      }
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
   * Returns a handle by which records name a table. The header is written to each segment before
   * the first record of the table in it, and passed to the visitor that replays the record.
   *
   * @param id of the table
   * @param name for messages
   * @param header definition of the table, needed to decode its changes; kept, not copied
   */
  public LogTable table(UUID id, String name, byte[] header) {
    if (header.length > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "the definition of "
              + name
              + " has "
              + CountText.of(header.length, "byte")
              + ", allowed "
              + MAX_HEADER_BYTES);
    }
    return new LogTable(this, tables.incrementAndGet(), id, name, () -> header);
  }

  /**
   * Returns a handle as {@link #table(UUID, String, byte[])}, for a definition that a log has had
   * before, so that it is known to be small enough.
   *
   * @param header makes the header when the first record of the table is appended
   */
  public LogTable knownTable(UUID id, String name, Supplier<byte[]> header) {
    return new LogTable(this, tables.incrementAndGet(), id, name, header);
  }

  /** Returns the maximum size of a record, see {@link CommitLogOptions#maxMutationBytes()}. */
  public int maxRecordBytes() {
    return maxRecordBytes;
  }

  /**
   * Rejects a record that {@link #append} would reject because of its size.
   *
   * @throws IllegalArgumentException if it has more than {@link
   *     CommitLogOptions#maxMutationBytes()}
   */
  public void requireFits(LogRecord record) {
    if (record.bodyBytes() > maxRecordBytes) {
      throw new IllegalArgumentException(
          "a write of "
              + CountText.of(record.bodyBytes(), "byte")
              + ", the largest of "
              + CountText.of(record.parts(), "change")
              + " in "
              + record.largest()
              + "; allowed "
              + maxRecordBytes
              + ", maxMutationBytes of CommitLogOptions (max_mutation_size)");
    }
  }

  /**
   * Appends a record, and hands it to the operating system: when this method returns, the record
   * survives the death of the process. After {@link #awaitSynced} it survives a loss of power, too.
   * A record is replayed completely or not at all.
   *
   * @return end of the record in the log, in bytes since {@link #open}
   * @throws IllegalArgumentException if the record is empty, names a table of another log, or has
   *     more than {@link CommitLogOptions#maxMutationBytes()}
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
   * Waits for a sync as the sync mode requires: in {@link SyncMode#PERIODIC} only if the sync is
   * late, otherwise until all records before {@code position} are durable. An interrupt does not
   * end the wait; the thread's interrupt status is restored afterwards.
   *
   * @param position the result of {@link #append}
   * @throws CommitLogFailedException if that can no longer be promised
   */
  public void awaitSynced(long position) throws CommitLogFailedException {
    if (progress.synced() < position && request(position)) {
      progress.awaitSynced(position);
    }
  }

  /**
   * Returns a stage that completes when {@link #awaitSynced} would return; this method does not
   * block. Dependent stages run in the executor that the log was given, or, if the executor rejects
   * them until the log is closed, in the thread that closes the log.
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

  /** Requests the sync that the mode requires. Returns whether the caller has to wait for it. */
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

  /**
   * Makes all records appended before durable, whatever the mode. Interrupts do not end it; the
   * interrupt status is restored.
   */
  public void sync() throws CommitLogFailedException {
    sync(end());
  }

  /**
   * Makes all records before a position durable, as {@link #sync()}.
   *
   * @param position a result of {@link #end} or {@link #append}
   */
  public void sync(long position) throws CommitLogFailedException {
    requestSync(position);
    if (progress.synced() < position) {
      progress.awaitSynced(position);
    }
  }

  /** Begins to do what {@link #sync(long)} does, without waiting for it. */
  public void requestSync(long position) throws CommitLogFailedException {
    if (progress.synced() < position) {
      progress.requireNotFailed();
      // The threads that appended records may not have requested the sync yet.
      writer.write(position);
      syncer.requestSync(position);
    }
  }

  /** Returns the end of the last record, in bytes since {@link #open}. */
  public long end() {
    return tail.end();
  }

  /**
   * Returns the present end of the log. If no record of a table is appended concurrently, the
   * position divides the records of the table: {@link CommitLogReplay} gives records appended
   * before this call lower positions, and later ones greater positions; no record has this
   * position.
   */
  public CommitLogPosition position() {
    return tail.position();
  }

  /**
   * Declares that all changes of a table up to {@code upTo}, inclusive, are durable elsewhere or no
   * longer needed. The thread of the log deletes segments that no table needs, oldest first, after
   * it has synced a record that says so.
   *
   * @param table may be unknown to the log
   * @param upTo a result of {@link #position}. The caller ensures that no earlier change is
   *     missing, also if flushes of a table end in another order than they began
   */
  public void discard(UUID table, CommitLogPosition upTo) {
    tail.discard(table, upTo);
  }

  /**
   * Begins a new segment, and returns when all earlier ones are complete, synced and, if the log
   * has an archive, archived. Interrupts do not end the wait; the interrupt status is restored.
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

  /**
   * Keeps the files of all segments until the result is closed, so that they can be copied.
   * Segments that no table needs any more are deleted with a later sync.
   */
  public Closeable hold() {
    return tail.hold();
  }

  /** Returns the size in bytes of all segments that are still needed, including the current one. */
  public long diskBytes() {
    return tail.diskBytes();
  }

  /** Returns the number of segments that are still needed, including the current one. */
  public int segmentCount() {
    return tail.segmentCount();
  }

  /**
   * Returns the number of bytes that were appended since {@link #open}, but are not yet durable.
   */
  long unsyncedBytes() {
    return Math.max(0, tail.end() - progress.synced());
  }

  /**
   * Returns the tables that must be flushed before the oldest segment can be deleted, in no order.
   * It is empty if the oldest segment is the current one and has no records.
   */
  public Set<UUID> dirtyTablesOfOldest() {
    return tail.dirtyTablesOfOldest();
  }

  /**
   * Syncs all records, writes a mark to the end of the log, and closes it. Waiting threads are
   * answered first. The segments stay.
   *
   * @throws IOException if this fails; closing a log that had failed before does not throw
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
