package io.siltstone.tools.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets what runs end in good order when the user interrupts the process, instead of at once: the
 * process ends when {@link #end} is called.
 */
public final class Interruption {
  /** By then a flush should be done. */
  private static final long MOST_SECONDS = 120;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Runnable stop) {
    hook =
        new Thread(
            () -> {
              stop.run();
              awaitEnd();
            },
            "interruption");
  }

  /**
   * Watches from now on.
   *
   * @param stop is called by another thread, at most once
   */
  public static Interruption watch(Runnable stop) {
    Interruption interruption = new Interruption(stop);
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  private void awaitEnd() {
    try {
      ended.await(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All is done: the process may end. */
  public void end() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook is running.
      return;
    }
  }
}
