package io.siltstone.memory;

/**
 * Thrown when an allocation would exceed the memory budget, or the limit of the JVM; the message
 * has kind, requested size, use and limit. Nothing has changed, so the operation may be retried
 * when other memory has been freed.
 */
public final class OutOfBudgetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Value of {@link #usedBytes} if another limit than that of a budget is reached. */
  public static final long OTHER_LIMIT = -1;

  private final long usedBytes;

  /** Creates an exception for another limit than that of a budget. */
  public OutOfBudgetException(String message) {
    this(message, OTHER_LIMIT);
  }

  /**
   * Creates an exception of a budget.
   *
   * @param usedBytes bytes in use when the budget refused
   */
  public OutOfBudgetException(String message, long usedBytes) {
    super(message);
    this.usedBytes = usedBytes;
  }

  /**
   * Returns the bytes of the budget that were in use when it refused, or {@link #OTHER_LIMIT}. A
   * retry can succeed once fewer are in use.
   */
  public long usedBytes() {
    return usedBytes;
  }
}
