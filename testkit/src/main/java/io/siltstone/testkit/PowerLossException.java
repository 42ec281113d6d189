package io.siltstone.testkit;

import java.io.IOException;

/** Thrown after the simulated disk has lost power: the operation did not happen. */
public final class PowerLossException extends IOException {
  private static final long serialVersionUID = 1L;

  PowerLossException(String message) {
    super(message);
  }
}
