package io.siltstone.io;

import java.io.IOException;

/** Thrown when a lock is held elsewhere, in this process or another. */
public final class LockedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the path of the lock's file, and its holder
   */
  public LockedException(String message) {
    super(message);
  }
}
