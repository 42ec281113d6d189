package io.siltstone.liveset;

import java.io.IOException;

/** It cannot be known whether a transaction has happened; the next opening of the table tells. */
final class InDoubtException extends IOException {
  private static final long serialVersionUID = 1L;

  InDoubtException(String message, Throwable cause) {
    super(message, cause);
  }
}
