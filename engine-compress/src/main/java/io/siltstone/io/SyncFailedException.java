package io.siltstone.io;

import java.io.IOException;

/**
 * Thrown when the operating system has failed to make the content of a file, or the names of a
 * directory, durable. Bytes that were written before may be lost although they can still be read,
 * and a second sync would report success. Therefore no operation that depends on the sync may be
 * retried.
 */
public final class SyncFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * @param path full path of the file or directory
   * @param cause the exception of the operating system
   */
  public SyncFailedException(String path, IOException cause) {
    super(path + " cannot be synced: " + cause.getMessage(), cause);
  }
}
