package io.siltstone.tools.terminal;

/** What the user asked for cannot be done as asked; the message says what can. */
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
   * @param cause that told of it
   */
  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * Checks the value of an option.
   *
   * @param allowed what is allowed, for the message
   * @throws UsageException unless it holds
   */
  public static void require(boolean holds, String option, Object value, String allowed) {
    if (!holds) {
      throw new UsageException(option + " = " + value + ", allowed " + allowed);
    }
  }
}
