package io.siltstone.compaction.task;

import java.io.IOException;

/** The disk has less room than a task may need; nothing has been written. */
public final class NotEnoughSpaceException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long neededBytes;
  private final long availableBytes;

  NotEnoughSpaceException(
      String directory, long neededBytes, long availableBytes, long promisedBytes) {
    super(
        directory
            + ": the outputs may need "
            + neededBytes
            + " bytes, "
            + availableBytes
            + " are available"
            + (promisedBytes == 0
                ? ""
                : ", of which others that run may need " + promisedBytes + " more"));
    this.neededBytes = neededBytes;
    this.availableBytes = availableBytes;
  }

  /** That the outputs may need. */
  public long neededBytes() {
    return neededBytes;
  }

  /** That the file system has, what others that run may need included. */
  public long availableBytes() {
    return availableBytes;
  }
}
