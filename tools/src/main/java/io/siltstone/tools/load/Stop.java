package io.siltstone.tools.load;

import java.io.InterruptedIOException;

/** Has a load end before its time. Safe for all threads. */
final class Stop {
  private volatile boolean isAsked;

  /** The load is to end soon, as if it had failed. */
  void ask() {
    isAsked = true;
  }

  /**
   * To be called often by what may take long.
   *
   * @throws InterruptedIOException if the load is to end
   */
  void check() throws InterruptedIOException {
    if (isAsked) {
      throw new InterruptedIOException("interrupted, nothing was loaded");
    }
  }
}
