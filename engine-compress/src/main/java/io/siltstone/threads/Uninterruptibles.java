package io.siltstone.threads;

import java.util.concurrent.CountDownLatch;

/** Waits for other threads in spite of interrupts. */
public final class Uninterruptibles {
  private Uninterruptibles() {}

  /** Waits until a thread has ended; an interrupt is kept. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a latch; an interrupt is kept. */
  public static void await(CountDownLatch latch) {
    boolean interrupted = false;
    boolean isOpen = false;
    while (!isOpen) {
      try {
        latch.await();
        isOpen = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
