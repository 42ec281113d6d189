package io.siltstone.campaigns.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reports that the engine has not done what it promises. */
public final class DeviationException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Path evidence;

  /**
   * Makes the exception.
   *
   * @param message what was expected, what was found, and the seed
   * @param evidence the directory to keep, or null if the seed is all that is needed
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
