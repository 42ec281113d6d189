package io.siltstone.io;

import java.io.IOException;

/**
 * The operating system has failed to make the content of a file, or the names of a directory,
 * durable. What was written before may be lost although it can still be read, and a second sync
 * would report success for it, so that nothing that depends on it may be tried again.
 */
public final class SyncFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param path full path of the file or directory
   * @param cause what the operating system said
   */
  public SyncFailedException(String path, IOException cause) {
    super(path + " cannot be synced: " + cause.getMessage(), cause);
  }
}
