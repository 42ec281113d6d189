package io.siltstone.event;

import java.io.IOException;

/**
 * The database takes no changes any more, because something failed that leaves unknown what is on
 * the disk. The cause is that failure; opened again, the database recovers what was acknowledged.
 */
public final class ReadOnlyException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With what the operator should know, and the failure. */
  public ReadOnlyException(String message, Throwable cause) {
    super(message, cause);
  }
}
