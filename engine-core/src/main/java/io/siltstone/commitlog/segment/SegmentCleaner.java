package io.siltstone.commitlog.segment;

import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Archives complete segments, and deletes those nobody needs, in their order: each name is durably
 * gone before the next is touched, so that no power loss leaves a gap. A segment is deleted only
 * when the log itself says durably that it begins with a later one. Confined to whoever does the
 * log's syncs, but for {@link #discard}.
 */
final class SegmentCleaner {
  private final Directory directory;
  private final @Nullable Archive archive;
  private final SyncProgress progress;
  private final WriteGuard guard;
  private final Queue<Segment> unarchived = new ArrayDeque<>();
  private final Queue<Discarded> discarded = new ConcurrentLinkedQueue<>();
  private volatile boolean pending;

  /**
   * A segment to be deleted.
   *
   * @param after place of the stream up to which the log has to be synced before
   */
  private record Discarded(Segment segment, long after) {}

  SegmentCleaner(
      Directory directory, @Nullable Directory archive, SyncProgress progress, WriteGuard guard) {
    this.directory = directory;
    this.archive = archive == null ? null : new Archive(directory, archive);
    this.progress = progress;
    this.guard = guard;
  }

  /** The segment is complete and synced: it is archived at the next {@link #clean}. */
  void completed(Segment segment) {
    if (archive == null) {
      segment.settle(null);
    } else {
      unarchived.add(segment);
    }
    pending = true;
  }

  /**
   * The segment is deleted at the next {@link #clean} after it is complete, and the log synced up
   * to {@code after}. From any thread.
   */
  void discard(Segment segment, long after) {
    discarded.add(new Discarded(segment, after));
    pending = true;
  }

  /**
   * Does what is to be done. A failure to archive is the listener's; others end the log.
   *
   * @return whether there was anything
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
      guard.requireOwned();
      directory.delete(first.name());
      directory.sync();
      discarded.remove();
    }
    return true;
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
        // Those behind it come after it or not at all: who waits for one of them learns why.
        for (Segment waiting : unarchived) {
          waiting.settle(e);
        }
        progress.callListenerOfArchiving(e);
        return;
      }
    }
  }
}
