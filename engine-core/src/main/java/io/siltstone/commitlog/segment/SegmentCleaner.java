package io.siltstone.commitlog.segment;

import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Archives complete commit-log segments, and deletes those that no table needs, in their order.
 * Each deletion is durable before the next one, so that no power loss leaves a gap. A segment is
 * deleted only after a synced record says that the log begins with a later one. Confined to the
 * thread that syncs the log, except {@link #discard} and {@link #hold}.
 */
final class SegmentCleaner {
  private final Directory directory;
  private final @Nullable Archive archive;
  private final SyncProgress progress;
  private final WriteGuard guard;
  private final Queue<Segment> unarchived = new ArrayDeque<>();
  private final Queue<Discarded> discarded = new ConcurrentLinkedQueue<>();
  private final Object holdLock = new Object();
  // Guarded by the lock.
  private int holders;
  private volatile boolean pending;

  /**
   * A segment to be deleted.
   *
   * @param after position of the stream up to which the log must be synced before
   */
  private record Discarded(Segment segment, long after) {}

  SegmentCleaner(
      Directory directory, @Nullable Directory archive, SyncProgress progress, WriteGuard guard) {
    this.directory = directory;
    this.archive = archive == null ? null : new Archive(directory, archive);
    this.progress = progress;
    this.guard = guard;
  }

  /** Notes that a segment is complete and synced; the next {@link #clean} archives it. */
  void completed(Segment segment) {
    if (archive == null) {
      segment.settle(null);
    } else {
      unarchived.add(segment);
    }
    pending = true;
  }

  /**
   * Schedules the deletion of a segment: {@link #clean} deletes it once it is complete and the log
   * is synced up to {@code after}. May be called by any thread.
   */
  void discard(Segment segment, long after) {
    discarded.add(new Discarded(segment, after));
    pending = true;
  }

  /**
   * Archives and deletes the segments that are ready. Failures to archive are reported to the
   * listener; others end the log.
   *
   * @return whether there were any
   */
  boolean clean() throws IOException {
    if (!pending) {
      return false;
    }
    pending = false;
    archive();
    for (Discarded next = discarded.peek(); next != null; next = discarded.peek()) {
      Segment first = next.segment();
      if (!first.isComplete() || progress.synced() < next.after()) {
        pending = true;
        return true;
      }
      if (!first.isArchived()) {
        return true;
      }
      if (!deleteUnlessHeld(first)) {
        pending = true;
        return true;
      }
      discarded.remove();
    }
    return true;
  }

  private boolean deleteUnlessHeld(Segment segment) throws IOException {
    synchronized (holdLock) {
      if (holders > 0) {
        return false;
      }
      guard.requireOwned();
      directory.delete(segment.name());
      directory.sync();
      return true;
    }
  }

  /**
   * Keeps all segments that are there, until the result is closed; what could be deleted meanwhile
   * is deleted with a later sync. May be called by any thread.
   */
  Closeable hold() {
    synchronized (holdLock) {
      holders++;
    }
    AtomicBoolean isHeld = new AtomicBoolean(true);
    return () -> {
      if (isHeld.compareAndSet(true, false)) {
        synchronized (holdLock) {
          holders--;
        }
      }
    };
  }

  private void archive() {
    if (archive == null) {
      return;
    }
    for (Segment first = unarchived.peek(); first != null; first = unarchived.peek()) {
      try {
        archive.add(first.name());
        first.settle(null);
        unarchived.remove();
      } catch (IOException e) {
        // Later segments must not be archived before this one; threads that wait for them get its
        // failure.
        for (Segment waiting : unarchived) {
          waiting.settle(e);
        }
        progress.callListenerOfArchiving(e);
        return;
      }
    }
  }
}
