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
import org.jspecify.annotations.Nullable;

/**
 * Writes the commit log's buffer to segment files, in the threads that append (group commit of
 * writes). A thread whose record is not yet written takes the lock and writes all published bytes,
 * which usually include the records of the threads that wait for the lock; these then find theirs
 * written.
 *
 * <p>Nothing is synced here: {@link LogSyncer} syncs full segments, and the next one is begun at
 * once. If {@link #MAX_OPEN_SEGMENTS} segments wait for their sync, writers wait, too.
 *
 * <p>Safe for use by all threads. The lock is taken after that of the log's tail.
 */
final class SegmentWriter {
  /**
   * Maximum number of open segments. It bounds the unsynced data in the page cache if a disk does
   * not respond, and the number of open files.
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

  private final CommitLogPosition before;

  // Guarded by the lock.
  private Segment segment;
  // Null until the first segment is created.
  private @Nullable WritableFile file;
  private long written;

  /**
   * Creates a writer, whose first segment is created with the first record, or by {@link
   * #createFirst}.
   *
   * @param before end of the log that is continued
   */
  SegmentWriter(
      Directory directory,
      LogBuffer buffer,
      SyncProgress progress,
      OpenSegments open,
      LogSyncer syncer,
      CommitLogServices services,
      Segment first,
      CommitLogPosition before) {
    this.directory = directory;
    this.buffer = buffer;
    this.progress = progress;
    this.open = open;
    this.syncer = syncer;
    this.clock = services.clock();
    this.guard = services.guard();
    this.hostId = services.hostId();
    this.segment = first;
    this.before = before;
  }

  /** Creates the first segment durably. */
  void createFirst() throws IOException {
    lock.lock();
    try {
      begun().sync();
      directory.sync();
      open.named(segment.id());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the file of the present segment; creates that of the first one. */
  private WritableFile begun() throws IOException {
    WritableFile present = file;
    if (present == null) {
      present = create(segment, before.segmentId(), before.position());
      file = present;
      open.add(new OpenSegments.Open(segment, present));
    }
    return present;
  }

  /**
   * Creates the file of a segment and writes its header. Neither the header nor the name is durable
   * yet.
   */
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

  /**
   * Returns the clock's microseconds since 1970; {@link ChronoUnit#between} overflows 292 years
   * from then.
   */
  private static long micros(Instant instant) {
    long seconds = TimeUnit.SECONDS.toMicros(instant.getEpochSecond());
    return seconds + Math.min(instant.getNano() / NANOS_PER_MICRO, Long.MAX_VALUE - seconds);
  }

  /**
   * Waits until all bytes before {@code position}, the end of a published record, were handed to
   * the operating system.
   *
   * @throws CommitLogFailedException if this failed, now or before
   */
  void write(long position) throws CommitLogFailedException {
    // Bytes may be written before their record is complete; a sync waits for complete records.
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

  /**
   * Waits until the bytes before {@code position} are written and their room in the buffer is free.
   */
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

  /** Writes all published bytes, and begins the segments that were started meanwhile. */
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
      // Read the end of complete records first, then that of the bytes, then that of the segment:
      // bytes after the segment's end belong to the next turn.
      long complete = buffer.complete();
      writeTo(buffer.published());
      progress.handedTo(complete);
    } catch (CommitLogFailedException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      syncer.fail(directory.path() + "/" + segment.name(), e);
      progress.requireNotFailed();
    }
  }

  private void writeTo(long to) throws IOException {
    while (true) {
      Segment next = segment.next();
      long end = next == null ? to : Math.min(to, next.streamStart());
      while (written < end) {
        written = buffer.writeTo(begun(), written, end);
        progress.wroteTo(written);
      }
      if (next == null || written < next.streamStart()) {
        return;
      }
      var unused = begun();
      begin(next);
    }
  }

  private void begin(Segment next) throws IOException {
    if (open.size() >= MAX_OPEN_SEGMENTS) {
      syncer.signal();
      progress.await(() -> open.size() < MAX_OPEN_SEGMENTS);
    }
    WritableFile made = create(next, segment.id(), segment.offsetOf(written));
    file = made;
    segment = next;
    open.add(new OpenSegments.Open(next, made));
    syncer.signal();
  }
}
