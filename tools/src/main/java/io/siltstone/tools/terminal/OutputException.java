package io.siltstone.tools.terminal;

import java.io.IOException;

/**
 * Standard output takes nothing more: its reader has gone, or its disk is full. Unchecked, so that
 * it ends a command through a {@link java.io.PrintStream}, which would swallow an {@link
 * IOException}.
 */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(IOException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }

  /** Whether the reader has gone, as {@code head} does when it has seen enough: not an error. */
  public boolean isBrokenPipe() {
    return String.valueOf(getMessage()).contains("Broken pipe");
  }
}
