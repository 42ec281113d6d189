package io.siltstone.campaigns.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Thrown if the engine does not do what it promises. */
public final class DeviationException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Path evidence;

  /**
   * Creates the exception.
   *
   * @param message what was expected, what was found, and the seed
   * @param evidence the directory to keep, or null if the seed is sufficient
   */
  public DeviationException(String message, @Nullable Throwable cause, @Nullable Path evidence) {
    super(message, cause);
    this.evidence = evidence;
  }

  /** Returns the directory to keep, or null. */
  public @Nullable Path evidence() {
    return evidence;
  }
}
