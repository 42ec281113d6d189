package io.siltstone.memtable;

import io.siltstone.cursor.DeletionTime;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters of the updates that a memtable shard has applied. Changed by its writer, read by all
 * threads.
 */
final class ShardCounters {
  static final int PARTITIONS = 0;
  static final int ROWS = 1;
  static final int OPERATIONS = 2;
  static final int DATA_BYTES = 3;
  static final int OFF_HEAP_BYTES = 4;
  static final int HEAP_BYTES = 5;
  static final int MIN_TIMESTAMP = 6;
  static final int MAX_TIMESTAMP = 7;
  static final int MIN_LOCAL_DELETION_TIME = 8;
  static final int RANGE_TOMBSTONES = 9;
  static final int PARTITION_DELETIONS = 10;
  private static final int COUNT = 11;

  private final AtomicLongArray values = new AtomicLongArray(COUNT);

  ShardCounters() {
    values.set(MIN_TIMESTAMP, Long.MAX_VALUE);
    values.set(MAX_TIMESTAMP, Long.MIN_VALUE);
    values.set(MIN_LOCAL_DELETION_TIME, DeletionTime.NO_DELETION_TIME);
  }

  long get(int counter) {
    return values.get(counter);
  }

  /** Adds to a counter. Called by the writer. */
  void add(int counter, long more) {
    values.setRelease(counter, values.getPlain(counter) + more);
  }

  /** Sets a counter. Called by the writer. */
  void set(int counter, long value) {
    values.setRelease(counter, value);
  }

  /** Lowers a minimum. Called by the writer. */
  void setLeast(int counter, long value) {
    if (value < values.getPlain(counter)) {
      values.setRelease(counter, value);
    }
  }

  /** Raises a maximum. Called by the writer. */
  void setGreatest(int counter, long value) {
    if (value > values.getPlain(counter)) {
      values.setRelease(counter, value);
    }
  }
}
