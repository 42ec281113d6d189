package io.siltstone;

/** What can be done with a database at a moment; see {@link Database#state}. */
public enum DatabaseState {
  /** It can be read and changed. */
  OPEN,

  /** It was opened for reading only. */
  READ_ONLY,

  /**
   * It was opened for writing, and takes no more changes until it is opened again: after a failure
   * it is not known what is on the disk, or another process may have it open. It can be read.
   * {@link Database#stoppedReason} says why.
   */
  STOPPED,

  /** It was closed. */
  CLOSED
}
