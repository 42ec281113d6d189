package io.siltstone.threads;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Combines failures of several steps or threads into one, and throws it. */
public final class Failures {
  private Failures() {}

  /**
   * Throws a failure of code that declares {@link IOException}; does nothing if it is null.
   *
   * @throws IOException the failure, or its cause is the failure if that is another checked
   *     exception
   */
  public static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IOException(failure);
    }
  }

  /**
   * Returns the first of two failures, to which the second is added as suppressed.
   *
   * @param first null if nothing failed before
   */
  public static Throwable first(@Nullable Throwable first, Throwable second) {
    if (first == null) {
      return second;
    }
    // When the heap is full, the virtual machine throws the same object again.
    if (first != second) {
      first.addSuppressed(second);
    }
    return first;
  }
}
