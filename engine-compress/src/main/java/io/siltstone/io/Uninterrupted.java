package io.siltstone.io;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** I/O that may be done twice, so that an interrupt of the thread need not end it. */
final class Uninterrupted {
  private Uninterrupted() {}

  /** What is done: from opening a file to closing it, or nothing if it fails. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** As {@link #call}, without a result. */
  interface Step {
    void run() throws IOException;
  }

  static void run(Step step) throws IOException {
    var unused =
        call(
            () -> {
              step.run();
              return step;
            });
  }

  /** Does it, once more for each interrupt that comes during it; interrupts are kept. */
  static <T> T call(Call<T> call) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return call.run();
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
