package io.siltstone.io;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Repeats I/O that an interrupt of the thread has ended; the I/O must be repeatable. */
final class Uninterrupted {
  private Uninterrupted() {}

  /** The I/O to be done: from opening a file to closing it, or nothing if it fails. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** I/O without a result; otherwise as {@link #call}. */
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

  /** Does the I/O, and repeats it for each interrupt that occurs during it; interrupts are kept. */
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
