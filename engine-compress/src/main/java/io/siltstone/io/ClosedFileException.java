package io.siltstone.io;

import java.nio.channels.ClosedChannelException;

/** A file was used after it was closed; names it. */
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
