package io.siltstone.io;

import java.io.IOException;

/**
 * The file whose lock keeps other processes away is gone, or has been replaced, while the lock was
 * held: others may have taken another lock under its name. Nothing may be changed any more.
 */
public final class LockLostException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message names the lock file and says what has become of it
   */
  public LockLostException(String message) {
    super(message);
  }
}
