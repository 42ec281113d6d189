package io.siltstone.commitlog.segment;

import io.siltstone.io.WritableFile;
import io.siltstone.sstable.metadata.CommitLogPosition;
import io.siltstone.threads.Closeables;
import io.siltstone.threads.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The queue of commit-log segments with open files, in their order: those that are written but not
 * yet synced, and the current one, which is the last. Writers add at the end and the syncing thread
 * removes from the beginning, so that neither waits for the other. Safe for use by all threads.
 */
final class OpenSegments implements AutoCloseable {
  private final Deque<Open> segments = new ArrayDeque<>();
  private final String path;
  private CommitLogPosition closedTo;
  private long namedId;

  /** A segment with its file. The writer uses the file until it has begun the next segment. */
  record Open(Segment segment, WritableFile file) {}

  /**
   * Creates an empty queue.
   *
   * @param path of the log
   * @param before end of the log that earlier runs of the database have left, which is durable
   */
  OpenSegments(String path, CommitLogPosition before) {
    this.path = path;
    this.closedTo = before;
    this.namedId = before.segmentId();
  }

  /** Adds the new current segment. The previous one is complete. */
  synchronized void add(Open open) {
    segments.addLast(open);
  }

  /** Returns the oldest one. */
  synchronized Open first() {
    return segments.getFirst();
  }

  /** Returns the one after the oldest, or null while that is being written or not yet created. */
  synchronized @Nullable Open second() {
    var all = segments.iterator();
    if (all.hasNext()) {
      all.next();
    }
    return all.hasNext() ? all.next() : null;
  }

  /** Returns the id of the one that is being written. */
  synchronized long lastId() {
    return segments.getLast().segment().id();
  }

  /** Returns the full path of the current segment; that of the log before there is one. */
  synchronized String lastPath() {
    return segments.isEmpty() ? path : segments.getLast().file().path();
  }

  /** Returns the number of open segments. */
  synchronized int size() {
    return segments.size();
  }

  /** Removes the oldest segment, which is synced to its end and closed. */
  synchronized void removeFirst(int length) {
    closedTo = new CommitLogPosition(segments.removeFirst().segment().id(), length);
  }

  /** Notes that the names of all segments up to a given one are durable. */
  synchronized void named(long id) {
    namedId = id;
  }

  /** Returns the newest segment whose name is durable. */
  synchronized long namedId() {
    return namedId;
  }

  /**
   * Returns the segment and offset of a position of the stream that is synced. At the border of two
   * segments this is the end of the first one.
   */
  synchronized CommitLogPosition positionOf(long synced) {
    for (var all = segments.descendingIterator(); all.hasNext(); ) {
      Segment segment = all.next().segment();
      if (segment.streamStart() < synced) {
        return new CommitLogPosition(segment.id(), segment.offsetOf(synced));
      }
    }
    return closedTo;
  }

  /**
   * Writes the last record of a segment, which says that another one follows whose name is durable.
   */
  static void markContinued(Open open, int length, long nextId) throws IOException {
    byte[] record = SegmentFormat.continued(open.segment().headChecksum(), length, nextId);
    open.file().write(ByteBuffer.wrap(record));
  }

  @Override
  public synchronized void close() throws IOException {
    Throwable failure = null;
    while (!segments.isEmpty()) {
      failure = Closeables.close(segments.removeFirst().file(), failure);
    }
    Failures.rethrow(failure);
  }
}
