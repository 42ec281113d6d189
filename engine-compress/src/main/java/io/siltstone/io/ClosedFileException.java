package io.siltstone.io;

import java.nio.channels.ClosedChannelException;

/** Thrown when a file is used after it was closed; the message names the file. */
final class ClosedFileException extends ClosedChannelException {
  private static final long serialVersionUID = 1L;

  private final String path;

  ClosedFileException(Object path) {
    this.path = path.toString();
  }

  @Override
  public String getMessage() {
    return path + " is closed";
  }
}
