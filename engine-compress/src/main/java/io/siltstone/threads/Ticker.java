package io.siltstone.threads;

import java.io.Closeable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Does something again and again, in a thread of its own, until it is closed. To wait for the next
 * time allocates nothing, and what fails is tried again: so it goes on when memory was short
 * meanwhile.
 *
 * <p>Safe for all threads.
 */
public final class Ticker implements Closeable {
  private final Runnable task;
  private final Consumer<Throwable> failed;
  private final long nanos;
  private final Thread thread;
  private volatile boolean closed;

  private Ticker(ThreadFactory threads, long nanos, Runnable task, Consumer<Throwable> failed) {
    this.nanos = nanos;
    this.task = task;
    this.failed = failed;
    this.thread = threads.newThread(this::run);
  }

  /**
   * Begins; the first time is after the first pause.
   *
   * @param nanos from the end of one time to the beginning of the next
   * @param failed is told what the task throws
   */
  public static Ticker start(
      ThreadFactory threads, long nanos, Runnable task, Consumer<Throwable> failed) {
    Ticker ticker = new Ticker(threads, nanos, task, failed);
    ticker.thread.start();
    return ticker;
  }

  private void run() {
    while (pause()) {
      try {
        tick();
      } catch (Throwable e) {
        // Not even that could be told. Perhaps the next time.
      }
    }
  }

  /** Returns false once it is closed. */
  private boolean pause() {
    long due = System.nanoTime() + nanos;
    long left = nanos;
    while (!closed && left > 0) {
      LockSupport.parkNanos(this, left);
      // The thread is its own: an interrupt means nothing, and would keep it from resting.
      boolean ignored = Thread.interrupted();
      left = due - System.nanoTime();
    }
    return !closed;
  }

  private void tick() {
    try {
      task.run();
    } catch (Throwable e) {
      failed.accept(e);
    }
  }

  /** Ends it without waiting; may be called by the task. */
  public void end() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Ends it, and waits until what is being done has ended; an interrupt is kept. */
  @Override
  public void close() {
    end();
    Uninterruptibles.join(thread);
  }
}
