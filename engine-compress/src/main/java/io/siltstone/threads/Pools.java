package io.siltstone.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends thread pools, and handles the failures of their tasks. */
public final class Pools {
  private Pools() {}

  /**
   * Passes what a task has thrown to the handler of the calling thread, which goes on. What the
   * handler throws is ignored, as it is where a thread dies.
   */
  static void uncaught(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable e) {
      // There is nobody left to tell.
    }
  }

  /** Ends a pool after it has run all its tasks; an interrupt is kept. */
  public static void end(ExecutorService pool) {
    pool.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = pool.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
