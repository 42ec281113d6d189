package io.siltstone.campaigns.run;

/** Thrown if a campaign cannot be run as requested. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message one line that says what was found, and which options to change
   */
  public UsageException(String message) {
    super(message);
  }
}
