package io.siltstone.compaction.task;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The progress of a compaction, and the handle by which it is paused, resumed or cancelled. Safe
 * for all threads.
 *
 * <p>A task checks it after each 256 KiB that it reads, also within a partition.
 */
public final class TaskProgress {
  private final AtomicLong bytesTotal = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicLong bytesWritten = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean isPaused;
  private volatile boolean isCancelled;

  /** Makes the progress of a task that has not begun. */
  public TaskProgress() {}

  /** Returns the uncompressed bytes to read; 0 before the task has begun. */
  public long bytesTotal() {
    return bytesTotal.get();
  }

  /** Returns the uncompressed bytes read so far. */
  public long bytesRead() {
    return bytesRead.get();
  }

  /** Returns the uncompressed bytes written so far. */
  public long bytesWritten() {
    return bytesWritten.get();
  }

  /** Returns whether the task was paused. */
  public boolean isPaused() {
    return isPaused;
  }

  /** Returns whether the task was cancelled. */
  public boolean isCancelled() {
    return isCancelled;
  }

  /** Pauses the task until {@link #resume()} or {@link #cancel()}; it keeps its claim. */
  public void pause() {
    isPaused = true;
  }

  /** Resumes the task. */
  public void resume() {
    isPaused = false;
    wake();
  }

  /**
   * Cancels the task, which cannot be undone: its {@code run} throws a {@link
   * CancellationException}, unless it is already committing.
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

  /** Counts bytes that were read, and blocks while the task is paused. */
  void read(long bytes) {
    bytesRead.addAndGet(bytes);
    check();
  }

  void wrote(long bytes) {
    bytesWritten.addAndGet(bytes);
  }

  /**
   * Blocks while the task is paused.
   *
   * @throws CancellationException if the task was cancelled, or the thread was interrupted
   */
  public void check() {
    if (isPaused && !isCancelled) {
      await();
    }
    checkCancelled();
  }

  /** Checks for cancellation, without blocking. */
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
