package io.siltstone.tools.load;

import org.jspecify.annotations.Nullable;

/** The first line of a CSV text does not name columns of the table: no row can be read. */
final class HeaderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HeaderException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
