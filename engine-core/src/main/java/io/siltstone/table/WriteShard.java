package io.siltstone.table;

import io.siltstone.commitlog.segment.LogRecord;
import io.siltstone.commitlog.segment.RecordType;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.PartitionUpdate;
import io.siltstone.mutation.UpdateWriter;
import io.siltstone.partitioner.Partitioner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One shard of a table's memtables, as writers see it: its lock, under which its partitions are
 * written, and reusable buffers. All but the lock is guarded by the lock.
 */
final class WriteShard {
  final ReentrantLock lock = new ReentrantLock();

  /** The greatest timestamp that was written to the shard since the opening. */
  long newestTimestamp = DeletionTime.NO_TIMESTAMP;

  // The thread that wrote last, by its id, so that a shard keeps no thread.
  private long lastWriter;

  /** Larger buffers are not kept for the next write. */
  private static final int MAX_KEPT_BYTES = 1 << 16;

  // These are created with the first write, since most of many tables are idle.
  private @Nullable LogRecord record;
  private @Nullable PartitionUpdate view;
  private @Nullable UpdateWriter writer;
  private @Nullable List<Runnable> pending;

  /**
   * Takes the lock for a write, to be released by the caller.
   *
   * @return whether a write of another thread was waited for
   */
  boolean lockToWrite() {
    boolean hasWaited = !lock.tryLock();
    if (hasWaited) {
      lock.lock();
    }
    return wroteAfter(hasWaited);
  }

  /**
   * Notes that the calling thread, which holds the lock, writes.
   *
   * @param hasWaited whether it had to wait for the lock
   * @return whether it has waited for a write of another thread, rather than for a snapshot
   */
  boolean wroteAfter(boolean hasWaited) {
    long writer = Thread.currentThread().getId();
    boolean isContended = hasWaited && writer != lastWriter;
    lastWriter = writer;
    return isContended;
  }

  /** Returns a record for the changes of one write. */
  LogRecord record() {
    LogRecord present = record;
    if (present == null) {
      present = new LogRecord();
      record = present;
    }
    return present;
  }

  /** Returns a view for mutations of that definition. */
  PartitionUpdate view(TableDefinition definition) {
    PartitionUpdate present = view;
    if (present == null || present.encoding() != definition.encoding()) {
      present = new PartitionUpdate(definition.encoding());
      view = present;
    }
    return present;
  }

  /** Returns an encoder of changes by that definition. */
  UpdateWriter writer(TableDefinition definition, Partitioner partitioner) {
    UpdateWriter present = writer;
    if (present == null || present.update().encoding() != definition.encoding()) {
      present = new UpdateWriter(definition.encoding(), partitioner);
      writer = present;
    }
    return present;
  }

  /** Releases the bytes of the last change, and buffers that it has made large. */
  private void releaseBuffers() {
    if (record != null) {
      record.begin(RecordType.MUTATION);
    }
    if (view != null && view.bytes().length > MAX_KEPT_BYTES) {
      view = null;
    }
    if (writer != null && writer.update().bytes().length > MAX_KEPT_BYTES) {
      writer = null;
    }
  }

  /** Keeps a notification until {@link #unlockAndNotify}. */
  void notifyLater(Runnable event) {
    if (pending == null) {
      pending = new ArrayList<>();
    }
    pending.add(event);
  }

  /** Releases the lock, and then delivers the notifications. */
  void unlockAndNotify() {
    List<Runnable> kept = pending;
    pending = null;
    try {
      releaseBuffers();
    } finally {
      lock.unlock();
    }
    if (kept != null) {
      kept.forEach(Runnable::run);
    }
  }
}
