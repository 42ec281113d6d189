package io.siltstone.table;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.partitioner.PartitionKey;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that a user holds, and that another thread may close: then the running step and each
 * later one throw an {@link IllegalStateException}. Confined to one thread, except for closing.
 */
final class UserCursor implements PartitionCursor {
  private final PartitionCursor cursor;
  private final Closeable held;
  private final CancelSignal cancelSignal;
  private Handles.@Nullable Lease lease;
  private boolean closed;

  /**
   * @param cancelSignal ends steps of the cursor once it has begun
   * @param held is closed after the cursor
   */
  UserCursor(PartitionCursor cursor, CancelSignal cancelSignal, Closeable held) {
    this.cursor = cursor;
    this.cancelSignal = cancelSignal;
    this.held = held;
  }

  /** Sets the lease by which the handle is tracked. */
  synchronized void lease(Handles.Lease of) {
    lease = of;
  }

  private PartitionCursor open() {
    cancelSignal.throwIfCancelled();
    return cursor;
  }

  @Override
  public synchronized RowEncoding encoding() {
    return open().encoding();
  }

  @Override
  public synchronized boolean nextPartition() throws IOException {
    return open().nextPartition();
  }

  @Override
  public synchronized PartitionKey key() {
    return open().key();
  }

  @Override
  public synchronized long deletionTimestamp() {
    return open().deletionTimestamp();
  }

  @Override
  public synchronized long deletionLocalTime() {
    return open().deletionLocalTime();
  }

  @Override
  public synchronized boolean nextUnfiltered() throws IOException {
    return open().nextUnfiltered();
  }

  @Override
  public synchronized Unfiltered unfiltered() {
    return open().unfiltered();
  }

  @Override
  public void close() throws IOException {
    cancelSignal.cancel();
    closeCursor();
  }

  private synchronized void closeCursor() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (held) {
      cursor.close();
    } finally {
      // Ended last, so that the closing of the database waits for all of this.
      if (lease != null) {
        lease.end();
      }
    }
  }
}
