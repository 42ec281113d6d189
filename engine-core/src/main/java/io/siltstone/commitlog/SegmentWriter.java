package io.siltstone.commitlog;

import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteGuard;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Takes the bytes of the stream from the buffer to the files of the segments, one after the other.
 * A segment's file is made only after the one before it is complete and synced. Confined to whoever
 * does the log's I/O; of no use after an exception, but for closing.
 */
final class SegmentWriter implements AutoCloseable {
  private final Directory directory;
  private final LogBuffer buffer;
  private final SyncProgress progress;
  private final SegmentCleaner cleaner;
  private final InstantSource clock;
  private final WriteGuard guard;
  private Segment segment;
  private WritableFile file;
  private long written;

  /**
   * Makes the first segment.
   *
   * @param previousId of the segment before it, or {@link SegmentHeader#NO_SEGMENT}
   * @param previousLength of that segment's file
   */
  SegmentWriter(
      Directory directory,
      LogBuffer buffer,
      SyncProgress progress,
      SegmentCleaner cleaner,
      InstantSource clock,
      WriteGuard guard,
      Segment first,
      long previousId,
      int previousLength)
      throws IOException {
    this.directory = directory;
    this.buffer = buffer;
    this.progress = progress;
    this.cleaner = cleaner;
    this.clock = clock;
    this.guard = guard;
    this.segment = first;
    this.file = create(first, previousId, previousLength);
  }

  private WritableFile create(Segment of, long previousId, int previousLength) throws IOException {
    guard.requireOwned();
    WritableFile made = directory.create(of.name(), WriteIntent.LOG);
    try {
      SegmentHeader header = new SegmentHeader(of.id(), previousId, previousLength, micros());
      made.write(ByteBuffer.wrap(header.bytes()));
      made.sync();
      directory.sync();
      return made;
    } catch (Throwable e) {
      try {
        made.close();
      } catch (IOException | RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  /** Full path of the file that is being written. */
  String path() {
    return file.path();
  }

  /** Gives all that is published to the operating system. */
  void write() throws IOException {
    // What is published is read before the segment's end: what lies behind the end comes later.
    long to = buffer.published();
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
      startNext(next);
    }
  }

  private void startNext(Segment next) throws IOException {
    file.sync();
    file.close();
    segment.completed();
    progress.syncedTo(written);
    cleaner.completed(segment);
    int length = segment.offsetOf(written);
    file = create(next, segment.id(), length);
    segment = next;
  }

  /** Makes all records durable that are complete now. */
  void sync() throws IOException {
    long complete = buffer.complete();
    write();
    if (complete > progress.synced()) {
      file.sync();
      // Whoever opens the database after this has all that was synced before.
      guard.requireOwned();
      progress.syncedTo(complete);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
