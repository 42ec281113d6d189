package io.siltstone.mutation;

/**
 * Says of which column or row two changes contradict each other. Caught by those who know where.
 */
final class ContradictionException extends Exception {
  private static final long serialVersionUID = 1L;

  ContradictionException(String message) {
    super(message);
  }
}
