package io.siltstone.tools.load;

import java.io.InterruptedIOException;

/** Requests a load or an export to end early. Safe for use by all threads. */
final class CancelFlag {
  private final String message;
  private volatile boolean isAsked;

  /**
   * @param message of the exception
   */
  CancelFlag(String message) {
    this.message = message;
  }

  /** Requests the end, which counts as a failure. */
  void ask() {
    isAsked = true;
  }

  /**
   * Throws if the end was requested; called often within long operations.
   *
   * @throws InterruptedIOException if the end was requested
   */
  void check() throws InterruptedIOException {
    if (isAsked) {
      throw new InterruptedIOException(message);
    }
  }
}
