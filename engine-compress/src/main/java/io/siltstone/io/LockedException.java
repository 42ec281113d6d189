package io.siltstone.io;

import java.io.IOException;

/** A lock is taken, by this process or another. */
public final class LockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the path of the lock's file, and whose it is
   */
  public LockedException(String message) {
    super(message);
  }
}
