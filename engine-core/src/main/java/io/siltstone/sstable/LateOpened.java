package io.siltstone.sstable;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Components of an open SSTable that are opened with it or when they are first needed. A failure to
 * open them is not kept: the next use tries again.
 *
 * <p>Safe for all threads. Once the components are open, {@link #get} is one plain read.
 *
 * @param <T> a record of the components, all of whose fields are final
 */
final class LateOpened<T extends Record & Closeable> implements Closeable {
  private final ReentrantLock lock = new ReentrantLock();

  // Null once the components are open. Guarded by the lock.
  private @Nullable Opener<T> opener;
  private boolean isClosed;

  // Written once, with the lock held, and read without it: what a record refers to is visible to
  // every thread that sees the record, since its fields are final.
  private @Nullable T parts;

  /** Opens the components. */
  @FunctionalInterface
  interface Opener<T> {
    /** Opens all of them, or throws and leaves none open. */
    T open() throws IOException;
  }

  private LateOpened(@Nullable T parts, @Nullable Opener<T> opener) {
    this.parts = parts;
    this.opener = opener;
  }

  /** Takes over open components. */
  static <T extends Record & Closeable> LateOpened<T> of(T parts) {
    return new LateOpened<>(parts, null);
  }

  /** Returns components that are opened when they are first needed. */
  static <T extends Record & Closeable> LateOpened<T> by(Opener<T> opener) {
    return new LateOpened<>(null, opener);
  }

  /**
   * Returns the components, and opens them if they are not open yet.
   *
   * @throws IllegalStateException if the SSTable is closed, and they were never opened
   */
  T get() throws IOException {
    T present = parts;
    return present != null ? present : open();
  }

  /** Opens the components if they are not open yet; throws as {@link #get}. */
  void require() throws IOException {
    var unused = get();
  }

  private T open() throws IOException {
    lock.lock();
    try {
      T present = parts;
      if (present != null) {
        return present;
      }
      Opener<T> by = opener;
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
  @Nullable T ifOpen() {
    return parts;
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      isClosed = true;
      T present = parts;
      if (present != null) {
        present.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
