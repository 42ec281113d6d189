package io.siltstone.threads;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What was thrown in one thread or place, thrown in another. */
public final class Failures {
  private Failures() {}

  /** Throws what is not null: anything that code which declares {@link IOException} can throw. */
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
  }
}
