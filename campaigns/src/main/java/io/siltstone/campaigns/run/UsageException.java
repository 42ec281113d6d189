package io.siltstone.campaigns.run;

/** Reports that a campaign cannot be run as it was asked for. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Makes the exception.
   *
   * @param message one line that says what was found, and which options to change
   */
  public UsageException(String message) {
    super(message);
  }
}
