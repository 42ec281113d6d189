package io.siltstone.testkit;

import java.io.IOException;

/** The simulated disk has no power any more: the operation did not happen. */
public final class PowerLossException extends IOException {
  private static final long serialVersionUID = 1L;

  PowerLossException(String message) {
    super(message);
  }
}
