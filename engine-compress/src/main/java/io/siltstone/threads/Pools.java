package io.siltstone.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends thread pools. */
public final class Pools {
  private Pools() {}

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
