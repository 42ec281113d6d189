package io.siltstone.tools.terminal;

/**
 * Thrown when the options or arguments of a command are wrong. The message says what is allowed.
 */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message one line, for the user
   */
  public UsageException(String message) {
    super(message);
  }

  /**
   * @param message one line, for the user
   * @param cause of the message
   */
  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Checks the value of an option.
   *
   * @param allowed what is allowed, for the message
   * @throws UsageException if the condition does not hold
   */
  public static void require(boolean holds, String option, Object value, String allowed) {
    if (!holds) {
      throw new UsageException(option + " = " + value + ", allowed " + allowed);
    }
  }
}
