package io.siltstone.io;

import java.io.IOException;

/**
 * It cannot be known whether a change has happened on the disk. The next opening finds out; until
 * then nothing that depends on it may be changed.
 */
public final class InDoubtException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Names the change in the message. */
  public InDoubtException(String message, Throwable cause) {
    super(message, cause);
  }
}
