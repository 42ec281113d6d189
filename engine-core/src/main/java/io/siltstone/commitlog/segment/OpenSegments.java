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
 * The segments whose files are open, in their order: those that are written but not yet synced, and
 * the one that is being written, which is the last. Writers add at the end and the syncing thread
 * removes from the beginning, so that neither waits for the other. Safe for all threads.
 */
final class OpenSegments implements AutoCloseable {
  private final Deque<Open> segments = new ArrayDeque<>();
  private CommitLogPosition closedTo;
  private long namedId;

  /** A segment with its file, which the writer uses until it has begun the next segment. */
  record Open(Segment segment, WritableFile file) {}

  /**
   * None yet.
   *
   * @param before where the log ends that earlier runs of the database have left, all of which is
   *     durable
   */
  OpenSegments(CommitLogPosition before) {
    this.closedTo = before;
    this.namedId = before.segmentId();
  }

  /** Adds the segment that is written from now on. Nothing more is written to the one before it. */
  synchronized void add(Open open) {
    segments.addLast(open);
  }

  /** The oldest one. */
  synchronized Open first() {
    return segments.getFirst();
  }

  /** The one after the oldest, or null while that is being written. */
  synchronized @Nullable Open second() {
    var all = segments.iterator();
    all.next();
    return all.hasNext() ? all.next() : null;
  }

  /** Id of the one that is being written. */
  synchronized long lastId() {
    return segments.getLast().segment().id();
  }

  /** Full path of the one that is being written. */
  synchronized String lastPath() {
    return segments.getLast().file().path();
  }

  /** How many are open. */
  synchronized int size() {
    return segments.size();
  }

  /** Forgets the oldest one, which is synced to its end and closed. */
  synchronized void removeFirst(int length) {
    closedTo = new CommitLogPosition(segments.removeFirst().segment().id(), length);
  }

  /** Notes that the names of all segments up to that one are durable. */
  synchronized void named(long id) {
    namedId = id;
  }

  /** The newest segment whose name is durable. */
  synchronized long namedId() {
    return namedId;
  }

  /**
   * Where a place of the stream is that has been synced. At the border of two segments it is the
   * end of the first one.
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

  /** Writes the last record of a segment: that another one follows, whose name is durable. */
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
