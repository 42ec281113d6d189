package io.siltstone.tools.load;

/**
 * Thrown for a row of the input that cannot be loaded. The message says where and why, and what is
 * allowed.
 */
final class BadRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadRowException(String message) {
    super(message);
  }

  BadRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
