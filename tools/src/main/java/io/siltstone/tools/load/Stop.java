package io.siltstone.tools.load;

import java.io.InterruptedIOException;

/** Has a load or an export end before its time. Safe for all threads. */
final class Stop {
  private final String message;
  private volatile boolean isAsked;

  /**
   * @param message of the exception
   */
  Stop(String message) {
    this.message = message;
  }

  /** It is to end soon, as if it had failed. */
  void ask() {
    isAsked = true;
  }

  /**
   * To be called often by what may take long.
   *
   * @throws InterruptedIOException if it is to end
   */
  void check() throws InterruptedIOException {
    if (isAsked) {
      throw new InterruptedIOException(message);
    }
  }
}
