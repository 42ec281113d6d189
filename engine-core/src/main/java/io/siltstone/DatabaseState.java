package io.siltstone;

/** The state of a database; see {@link Database#state}. */
public enum DatabaseState {
  /** The database can be read and changed. */
  OPEN,

  /** The database was opened for reading only. */
  READ_ONLY,

  /**
   * The database was opened for writing, and takes no more changes until it is opened again: after
   * a failure it is unknown what is on the disk, or another process may have it open. It can be
   * read. {@link Database#stoppedReason} returns the reason.
   */
  STOPPED,

  /** The database was closed. */
  CLOSED
}
