package io.siltstone.threads;

import java.io.Closeable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs a task periodically in a thread of its own, until it is closed. Waiting for the next run
 * allocates nothing, and a run that fails is retried at the next, so the ticker survives a
 * temporary shortage of memory.
 *
 * <p>Safe for use by all threads.
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
   * Starts the thread; the first run is after the first pause.
   *
   * @param nanos time from the end of one run to the beginning of the next
   * @param failed receives the exceptions of the task
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
        // Not even the failure could be reported. The next run may succeed.
      }
    }
  }

  /** Returns false once it is closed. */
  private boolean pause() {
    long due = System.nanoTime() + nanos;
    long left = nanos;
    while (!closed && left > 0) {
      LockSupport.parkNanos(this, left);
      // The thread belongs to this class: an interrupt has no meaning, and would prevent the pause.
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

  /** Ends the thread without waiting; the task may call it. */
  public void end() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Ends the thread, and waits until a running task has ended; an interrupt is kept. */
  @Override
  public void close() {
    end();
    Uninterruptibles.join(thread);
  }
}
