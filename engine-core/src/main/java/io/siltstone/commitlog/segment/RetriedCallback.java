package io.siltstone.commitlog.segment;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something foreign that an executor is to run, and is offered anew as often as it rejects it, as
 * it does where no thread can be had: never does it run in the thread that asks for it, which may
 * be the log's own, or hold locks of the log. Safe for all threads.
 */
final class RetriedCallback {
  private final Executor executor;
  private final Runnable foreign;
  // Made beforehand: there may be no memory when it is wanted.
  private final Runnable call = this::run;
  // Taken, and not begun: what is asked for meanwhile is seen by it.
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private volatile boolean isRefused;

  /**
   * @param foreign may run more often than it is asked for, and at once in several threads
   */
  RetriedCallback(Executor executor, Runnable foreign) {
    this.executor = executor;
    this.foreign = foreign;
  }

  /** Has it run at least once from now on. */
  void request() {
    if (!isTaken.compareAndSet(false, true)) {
      return;
    }
    isRefused = false;
    try {
      executor.execute(call);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      isTaken.set(false);
      isRefused = true;
    }
  }

  /** Whether it waits for being offered again. */
  boolean isRefused() {
    return isRefused;
  }

  /** Offers it again if it was rejected. */
  void offerAgain() {
    if (isRefused) {
      request();
    }
  }

  /** Offers it for the last time, and runs it here if it is rejected. */
  void end() {
    offerAgain();
    if (isRefused) {
      isRefused = false;
      foreign.run();
    }
  }

  private void run() {
    isTaken.set(false);
    try {
      foreign.run();
    } catch (Throwable e) {
      // What it has not come to is not lost.
      isRefused = true;
      throw e;
    }
  }
}
