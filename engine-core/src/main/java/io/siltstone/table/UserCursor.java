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
 * A cursor in a user's hands, which another thread may close: then the step that is being made is
 * given up, and that one and each after it is an {@link IllegalStateException}.
 */
final class UserCursor implements PartitionCursor {
  private final PartitionCursor cursor;
  private final Closeable held;
  private final CancelSignal cancelSignal;
  private Handles.@Nullable Lease lease;
  private boolean closed;

  /**
   * @param cancelSignal ends steps of the cursor once it has begun
   * @param held is closed behind the cursor
   */
  UserCursor(PartitionCursor cursor, CancelSignal cancelSignal, Closeable held) {
    this.cursor = cursor;
    this.cancelSignal = cancelSignal;
    this.held = held;
  }

  /** Who notes that it is open. */
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
      // Last, so that a database that is being closed waits for this.
      if (lease != null) {
        lease.end();
      }
    }
  }
}
