package io.siltstone.tools.load;

/** A row of the input that cannot be taken; the message says where, what and what is allowed. */
final class BadRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadRowException(String message) {
    super(message);
  }

  BadRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
