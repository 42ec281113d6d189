package io.siltstone.compaction.task;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How far a task is, and the handle by which it is held up or given up. Safe for all threads.
 *
 * <p>A task looks here each 256 KiB that it reads, in the middle of a partition too.
 */
public final class TaskProgress {
  private final AtomicLong bytesTotal = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong bytesWritten = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean isPaused;
  private volatile boolean isCancelled;

  /** Of a task that has not begun. */
  public TaskProgress() {}

  /** Uncompressed bytes that are to be read; 0 before the task has begun. */
  public long bytesTotal() {
    return bytesTotal.get();
  }

  /** Uncompressed bytes that have been read. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** Uncompressed bytes that have been written. */
  public long bytesWritten() {
    return bytesWritten.get();
  }

  /** Whether the task has been told to wait. */
  public boolean isPaused() {
    return isPaused;
  }

  /** Whether the task has been told to give up. */
  public boolean isCancelled() {
    return isCancelled;
  }

  /** Has the task wait until {@link #resume()} or {@link #cancel()}; it keeps its claim. */
  public void pause() {
    isPaused = true;
  }

  /** Has the task go on. */
  public void resume() {
    isPaused = false;
    wake();
  }

  /**
   * Has the task give up: its {@code run} throws a {@link CancellationException}, unless it is
   * committing already. For good.
   */
  public void cancel() {
    isCancelled = true;
    wake();
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void begin(long total) {
    bytesTotal.set(total);
  }

  /** Takes note of what was read, and waits or gives up if it has been told to. */
  void read(long bytes) {
    bytesRead.addAndGet(bytes);
    check();
  }

  void wrote(long bytes) {
    bytesWritten.addAndGet(bytes);
  }

  /**
   * Waits while paused.
   *
   * @throws CancellationException if the task is to give up, or the thread was interrupted
   */
  public void check() {
    if (isPaused && !isCancelled) {
      await();
    }
    checkCancelled();
  }

  /** Does not wait. */
  void checkCancelled() {
    if (isCancelled) {
      throw new CancellationException("the compaction was cancelled");
    }
  }

  private void await() {
    lock.lock();
    try {
      while (isPaused && !isCancelled) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled =
          new CancellationException("the compaction was interrupted while it was paused");
      cancelled.initCause(e);
      throw cancelled;
    } finally {
      lock.unlock();
    }
  }
}
