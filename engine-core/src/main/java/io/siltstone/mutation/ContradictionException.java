package io.siltstone.mutation;

/**
 * Thrown if two changes of a column or row contradict each other; names the column or row. The
 * caller adds the place and rethrows.
 */
final class ContradictionException extends Exception {
  private static final long serialVersionUID = 1L;

  ContradictionException(String message) {
    super(message);
  }
}
