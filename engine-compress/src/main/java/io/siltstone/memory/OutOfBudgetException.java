package io.siltstone.memory;

/** An allocation would exceed the budget; names kind, size asked for, use and limit. */
public final class OutOfBudgetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the whole message. */
  public OutOfBudgetException(String message) {
    super(message);
  }
}
