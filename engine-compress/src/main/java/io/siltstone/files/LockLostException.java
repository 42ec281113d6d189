package io.siltstone.files;

import java.io.IOException;

/**
 * Thrown when a lock file was deleted or replaced while its lock was held. Other processes may have
 * locked another file of this name, so nothing may be changed any more.
 */
public final class LockLostException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message names the lock file and what has happened to it
   */
  public LockLostException(String message) {
    super(message);
  }
}
