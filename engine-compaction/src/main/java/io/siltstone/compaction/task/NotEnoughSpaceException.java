package io.siltstone.compaction.task;

import java.io.IOException;

/**
 * Thrown when the disk has less free space than a compaction may need. Nothing has been written.
 */
public final class NotEnoughSpaceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long neededBytes;
  private final long availableBytes;

  NotEnoughSpaceException(
      String directory, long neededBytes, long availableBytes, long reservedBytes) {
    super(
        directory
            + ": the outputs may need "
            + neededBytes
            + " bytes, "
            + availableBytes
            + " are available"
            + (reservedBytes == 0
                ? ""
                : ", of which " + reservedBytes + " are reserved for running compactions"));
    this.neededBytes = neededBytes;
    this.availableBytes = availableBytes;
  }

  /** Returns the bytes that the outputs may need. */
  public long neededBytes() {
    return neededBytes;
  }

  /**
   * Returns the bytes that the file system has free, including those reserved by running
   * compactions.
   */
  public long availableBytes() {
    return availableBytes;
  }
}
