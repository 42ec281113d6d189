package io.siltstone.table;

import io.siltstone.commitlog.LogRecord;
import io.siltstone.cursor.PartitionUpdate;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one shard of a table's memtables, under which its partitions are written, and what a
 * writer needs meanwhile.
 */
final class WriteShard {
  final ReentrantLock lock = new ReentrantLock();
  final LogRecord record = new LogRecord();
  private @Nullable PartitionUpdate view;

  /** A view of mutations of that definition, for whoever has the lock. */
  PartitionUpdate view(TableDefinition definition) {
    PartitionUpdate present = view;
    if (present == null || present.encoding() != definition.encoding()) {
      present = new PartitionUpdate(definition.encoding());
      view = present;
    }
    return present;
  }
}
