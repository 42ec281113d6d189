package io.siltstone.io;

import java.io.IOException;

/**
 * Thrown when it is unknown whether a change has happened on the disk. The next opening finds out;
 * until then nothing that depends on it may be changed.
 */
public final class InDoubtException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message names the change. */
  public InDoubtException(String message, Throwable cause) {
    super(message, cause);
  }
}
