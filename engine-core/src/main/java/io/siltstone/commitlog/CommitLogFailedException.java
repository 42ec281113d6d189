package io.siltstone.commitlog;

import java.io.IOException;

/**
 * Thrown when the commit log could not be written, synced, continued in a new segment or shortened.
 * From then on it accepts no more records: after a failed write or sync the contents of the file
 * are unknown, and a retry proves nothing. The cause is the first failure.
 */
public final class CommitLogFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String path;

  /**
   * Creates the exception.
   *
   * @param path full path of the segment that was written when it failed
   * @param cause the first failure
   */
  public CommitLogFailedException(String path, Throwable cause) {
    super(
        path + ": the commit log takes no more records after a failure: " + cause.getMessage(),
        cause);
    this.path = path;
  }

  /** Returns the full path of the segment that was written when it failed. */
  public String path() {
    return path;
  }
}
