package io.siltstone.tools.terminal;

import java.io.IOException;

/**
 * Thrown when standard output cannot be written: its reader has closed the pipe, or its disk is
 * full. It is unchecked so that it ends a command through a {@link java.io.PrintStream}, which
 * would swallow an {@link IOException}.
 */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(IOException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }

  /**
   * Returns whether the reader has closed the pipe, like {@code head} after enough lines. This is
   * not an error.
   */
  public boolean isBrokenPipe() {
    return String.valueOf(getMessage()).contains("Broken pipe");
  }
}
