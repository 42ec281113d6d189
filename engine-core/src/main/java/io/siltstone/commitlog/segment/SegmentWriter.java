package io.siltstone.commitlog.segment;

import io.siltstone.commitlog.CommitLogFailedException;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.threads.Closeables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands the bytes of the stream from the buffer to the operating system, in the threads that
 * append. A thread whose record is not yet written takes the lock and writes all that is published,
 * which usually includes the records of those that wait for the lock; they find theirs written.
 *
 * <p>Nothing is synced here: a segment that is full is left to {@link LogSyncer}, and the next one
 * is begun at once. Only so many segments wait for their sync; then writers wait, too.
 *
 * <p>Safe for all threads. The lock is taken after that of the log's tail.
 */
final class SegmentWriter {
  /**
   * The number of open segments with which none is begun. It bounds what a disk that does not
   * answer leaves to the page cache, and the number of open files.
   */
  static final int MAX_OPEN_SEGMENTS = 16;

  private static final int NANOS_PER_MICRO = 1_000;

  private final Directory directory;
  private final LogBuffer buffer;
  private final SyncProgress progress;
  private final OpenSegments open;
  private final LogSyncer syncer;
  private final InstantSource clock;
  private final WriteGuard guard;
  private final UUID hostId;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private Segment segment;
  private WritableFile file;
  private long written;

  /**
   * Makes the first segment, durably.
   *
   * @param before where the log ends that is continued
   */
  SegmentWriter(
      Directory directory,
      LogBuffer buffer,
      SyncProgress progress,
      OpenSegments open,
      LogSyncer syncer,
      CommitLogServices services,
      Segment first,
      CommitLogPosition before)
      throws IOException {
    this.directory = directory;
    this.buffer = buffer;
    this.progress = progress;
    this.open = open;
    this.syncer = syncer;
    this.clock = services.clock();
    this.guard = services.guard();
    this.hostId = services.hostId();
    this.segment = first;
    this.file = create(first, before.segmentId(), before.position());
    open.add(new OpenSegments.Open(first, file));
    file.sync();
    directory.sync();
    open.named(first.id());
  }

  /** Every segment begins here. Its header is written, but neither that nor its name is durable. */
  private WritableFile create(Segment of, long previousId, int previousLength) throws IOException {
    CommitLogPosition synced = open.positionOf(progress.synced());
    SegmentHeader header =
        SegmentHeader.of(
            of.id(),
            previousId,
            previousLength,
            micros(clock.instant()),
            hostId,
            of.firstId(),
            synced,
            open.namedId());
    guard.requireOwned();
    WritableFile made = directory.create(of.name(), WriteIntent.LOG);
    try {
      made.write(ByteBuffer.wrap(header.bytes()));
      return made;
    } catch (Throwable e) {
      Closeables.closeAfter(made, e);
      throw e;
    }
  }

  /** Microseconds since 1970; {@link ChronoUnit#between} overflows 292 years from there. */
  private static long micros(Instant instant) {
    long seconds = TimeUnit.SECONDS.toMicros(instant.getEpochSecond());
    return seconds + Math.min(instant.getNano() / NANOS_PER_MICRO, Long.MAX_VALUE - seconds);
  }

  /**
   * Returns when all before {@code position}, where a record ends that is published, was handed to
   * the operating system.
   *
   * @throws CommitLogFailedException if that failed, now or before
   */
  void write(long position) throws CommitLogFailedException {
    // The bytes may be written before they are known to be a whole record, which a sync waits for.
    if (progress.handed() >= position) {
      return;
    }
    lock.lock();
    try {
      if (progress.handed() < position) {
        writePublished();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns when the bytes before {@code position} are written and need no room in the buffer. */
  void makeRoom(long position) throws CommitLogFailedException {
    lock.lock();
    try {
      if (progress.written() < position) {
        writePublished();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Hands over all that is published, and begins the segments that were started meanwhile. */
  void writeAll() throws CommitLogFailedException {
    lock.lock();
    try {
      writePublished();
    } finally {
      lock.unlock();
    }
  }

  private void writePublished() throws CommitLogFailedException {
    progress.requireNotFailed();
    try {
      // Whole records are counted before bytes, and bytes before the segment's end is looked for:
      // what lies after the end comes later.
      long complete = buffer.complete();
      writeTo(buffer.published());
      progress.handedTo(complete);
    } catch (CommitLogFailedException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      syncer.fail(file.path(), e);
      progress.requireNotFailed();
    }
  }

  private void writeTo(long to) throws IOException {
    while (true) {
      Segment next = segment.next();
      long end = next == null ? to : Math.min(to, next.streamStart());
      while (written < end) {
        written = buffer.writeTo(file, written, end);
        progress.wroteTo(written);
      }
      if (next == null || written < next.streamStart()) {
        return;
      }
      begin(next);
    }
  }

  private void begin(Segment next) throws IOException {
    if (open.size() >= MAX_OPEN_SEGMENTS) {
      syncer.signal();
      progress.await(() -> open.size() < MAX_OPEN_SEGMENTS);
    }
    file = create(next, segment.id(), segment.offsetOf(written));
    segment = next;
    open.add(new OpenSegments.Open(next, file));
    syncer.signal();
  }
}
