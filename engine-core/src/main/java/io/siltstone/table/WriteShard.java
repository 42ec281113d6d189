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
 * The lock of one shard of a table's memtables, under which its partitions are written, and what a
 * writer needs meanwhile.
 */
final class WriteShard {
  final ReentrantLock lock = new ReentrantLock();
  final LogRecord record = new LogRecord();

  /** Greatest timestamp that was written to the shard since the opening. Guarded by the lock. */
  long newestTimestamp = DeletionTime.NO_TIMESTAMP;

  /** What is larger is not kept for the next write, which may never come. */
  private static final int MAX_KEPT_BYTES = 1 << 16;

  private @Nullable PartitionUpdate view;
  private @Nullable UpdateWriter writer;
  private @Nullable List<Runnable> untold;

  /** A view of mutations of that definition, for whoever has the lock. */
  PartitionUpdate view(TableDefinition definition) {
    PartitionUpdate present = view;
    if (present == null || present.encoding() != definition.encoding()) {
      present = new PartitionUpdate(definition.encoding());
      view = present;
    }
    return present;
  }

  /** A writer of changes by that definition, for whoever has the lock. */
  UpdateWriter writer(TableDefinition definition, Partitioner partitioner) {
    UpdateWriter present = writer;
    if (present == null || present.update().encoding() != definition.encoding()) {
      present = new UpdateWriter(definition.encoding(), partitioner);
      writer = present;
    }
    return present;
  }

  /** Lets go of the bytes of the last change, and of buffers that a large one has taken. */
  private void rest() {
    record.begin(RecordType.MUTATION);
    if (view != null && view.bytes().length > MAX_KEPT_BYTES) {
      view = null;
    }
    if (writer != null && writer.update().bytes().length > MAX_KEPT_BYTES) {
      writer = null;
    }
  }

  /** Keeps what is to be told, for whoever has the lock, until {@link #unlockAndTell}. */
  void tellLater(Runnable event) {
    if (untold == null) {
      untold = new ArrayList<>();
    }
    untold.add(event);
  }

  /** Gives the lock back, and then tells what was kept. */
  void unlockAndTell() {
    List<Runnable> kept = untold;
    untold = null;
    try {
      rest();
    } finally {
      lock.unlock();
    }
    if (kept != null) {
      kept.forEach(Runnable::run);
    }
  }
}
