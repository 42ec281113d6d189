package io.siltstone.kafka.streams.table;

import io.siltstone.BulkWriter;
import io.siltstone.KeyValueStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A part of a restore that becomes one SSTable, instead of going through the memtable: it is sorted
 * in memory and temporary files, and cannot be read before the commit. Takes less than half of the
 * processor time. Not safe for use by several threads at the same time.
 */
final class BulkRestore implements Closeable {
  private static final long SORTED_BYTES = 16L << 20;
  private static final long LEAST_CHECKED_BYTES = 2L << 20;

  private final BulkWriter writer;
  private final Semaphore permits;
  private long bytes;
  // The number of records that had come at the last check; -1 before the first.
  private long checkedBytes = -1;

  private BulkRestore(BulkWriter writer, Semaphore permits) {
    this.writer = writer;
    this.permits = permits;
  }

  /** Begins one; null if as many as may have memory at the same time have begun. */
  static @Nullable BulkRestore begin(KeyValueStore entries, Semaphore permits) throws IOException {
    if (!permits.tryAcquire()) {
      return null;
    }
    try {
      return new BulkRestore(BulkWriter.into(entries).memoryBytes(SORTED_BYTES).open(), permits);
    } catch (Throwable e) {
      permits.release();
      throw e;
    }
  }

  /** Puts an entry, or deletes it if the value is null. */
  void write(byte[] key, byte @Nullable [] value) throws IOException {
    if (value == null) {
      writer.delete(key);
      bytes += key.length;
    } else {
      writer.put(key, value);
      bytes += key.length + value.length;
    }
  }

  /** Returns the size of what was written. */
  long bytes() {
    return bytes;
  }

  /**
   * Returns whether so little has come since the last check that it is not worth its memory, as in
   * a standby that has caught up, or when the restore is over.
   */
  boolean isSlow() {
    long before = checkedBytes;
    checkedBytes = bytes;
    return before >= 0 && bytes - before < LEAST_CHECKED_BYTES;
  }

  /** Adds all that was written to the table, durably. */
  void commit() throws IOException {
    var unused = writer.commit();
  }

  /** Discards what is not committed. */
  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } finally {
      permits.release();
    }
  }
}
