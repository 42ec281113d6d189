package io.siltstone.event;

import java.io.IOException;

/**
 * Thrown if the database rejects changes because of an earlier failure after which the state of the
 * disk is unknown. The cause is this failure. When the database is opened again, it recovers all
 * acknowledged writes.
 */
public final class ReadOnlyException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for operators and the failure. */
  public ReadOnlyException(String message, Throwable cause) {
    super(message, cause);
  }
}
