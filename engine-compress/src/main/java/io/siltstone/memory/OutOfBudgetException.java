package io.siltstone.memory;

/**
 * An allocation would exceed the budget, or what the JVM allows; names kind, size asked for, use
 * and limit. Nothing has changed then: the same may be tried again when others have given memory
 * back.
 */
public final class OutOfBudgetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the whole message. */
  public OutOfBudgetException(String message) {
    super(message);
  }
}
