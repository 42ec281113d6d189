package io.siltstone.commitlog.segment;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A callback that is resubmitted to an executor until the executor accepts it; one that cannot
 * create a thread rejects it. The callback never runs in the thread that requests it, which may
 * belong to the log or hold its locks. Safe for use by all threads.
 */
final class RetriedCallback {
  private final Executor executor;
  private final Runnable foreign;
  // Allocated beforehand, since the heap may be exhausted when it is needed.
  private final Runnable call = this::run;
  // Accepted, but not begun: the running callback will see requests made meanwhile.
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private volatile boolean isRefused;

  /**
   * @param foreign may run more often than it is requested, and concurrently in several threads
   */
  RetriedCallback(Executor executor, Runnable foreign) {
    this.executor = executor;
    this.foreign = foreign;
  }

  /** Requests that it runs at least once from now on. */
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

  /** Returns whether it waits for being offered again. */
  boolean isRefused() {
    return isRefused;
  }

  /** Submits it again if it was rejected. */
  void offerAgain() {
    if (isRefused) {
      request();
    }
  }

  /** Submits it for the last time, and runs it in this thread if it is rejected. */
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
      // Requests that it has not handled are not lost.
      isRefused = true;
      throw e;
    }
  }
}
