package io.siltstone.threads;

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
}
