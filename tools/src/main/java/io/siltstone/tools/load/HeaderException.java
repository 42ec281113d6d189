package io.siltstone.tools.load;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the first line of CSV input does not name columns of the table, so that no row can be
 * read.
 */
final class HeaderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HeaderException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
