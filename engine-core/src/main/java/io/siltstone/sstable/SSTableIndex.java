package io.siltstone.sstable;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The index, summary and filter of an open SSTable, which are opened with it or when they are first
 * needed. A failure to open them is not kept: the next use tries again.
 *
 * <p>Safe for all threads. Once the components are open, {@link #get} is one plain read.
 */
final class SSTableIndex implements Closeable {
  private final ReentrantLock lock = new ReentrantLock();

  // Null once the components are open. Guarded by the lock.
  private @Nullable Opener opener;
  private boolean isClosed;

  // Written once, with the lock held, and read without it: what a record refers to is visible to
  // every thread that sees the record, since its fields are final.
  private @Nullable IndexParts parts;

  /** Opens the components. */
  @FunctionalInterface
  interface Opener {
    /** Opens all of them, or throws and leaves none open. */
    IndexParts open() throws IOException;
  }

  /** Takes over open components. */
  SSTableIndex(IndexParts parts) {
    this.parts = parts;
  }

  /**
   * @param opener opens the components when they are first needed
   */
  SSTableIndex(Opener opener) {
    this.opener = opener;
  }

  /**
   * Returns the components, and opens them if they are not open yet.
   *
   * @throws IllegalStateException if the SSTable is closed, and they were never opened
   */
  IndexParts get() throws IOException {
    IndexParts present = parts;
    return present != null ? present : open();
  }

  private IndexParts open() throws IOException {
    lock.lock();
    try {
      IndexParts present = parts;
      if (present != null) {
        return present;
      }
      Opener by = opener;
      if (isClosed || by == null) {
        throw new IllegalStateException("the SSTable is closed");
      }
      present = by.open();
      parts = present;
      opener = null;
      return present;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the components if they are open. */
  @Nullable IndexParts ifOpen() {
    return parts;
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      isClosed = true;
      IndexParts present = parts;
      if (present != null) {
        present.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
