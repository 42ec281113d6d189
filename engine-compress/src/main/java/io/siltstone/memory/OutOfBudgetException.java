package io.siltstone.memory;

/**
 * An allocation would exceed the budget, or what the JVM allows; names kind, size asked for, use
 * and limit. Nothing has changed then: the same may be tried again when others have given memory
 * back.
 */
public final class OutOfBudgetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What {@link #usedBytes} is where another limit than that of a budget is reached. */
  public static final long OTHER_LIMIT = -1;

  private final long usedBytes;

  /** With the whole message, where another limit than that of a budget is reached. */
  public OutOfBudgetException(String message) {
    this(message, OTHER_LIMIT);
  }

  /**
   * With the whole message.
   *
   * @param usedBytes of the budget, when it refused
   */
  public OutOfBudgetException(String message, long usedBytes) {
    super(message);
    this.usedBytes = usedBytes;
  }

  /**
   * Bytes of the budget that were in use when it refused: with less it is worth another try. Or
   * {@link #OTHER_LIMIT}.
   */
  public long usedBytes() {
    return usedBytes;
  }
}
