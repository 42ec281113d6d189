package io.siltstone.commitlog;

/**
 * When the commit log is synced, and what a write waits for, like Cassandra's {@code
 * commitlog_sync}.
 */
public enum SyncMode {
  /**
   * The log is synced at an interval. A write does not wait, unless the last sync began longer ago
   * than one and a half intervals. A power loss loses what was written since the last sync. If only
   * the process is killed, this loses what was not yet handed to the operating system: at most 64
   * KiB or 100 ms of writes while the disk keeps up.
   */
  PERIODIC,
  /**
   * A write waits until it is synced. Syncs are delayed by a window so that more writes share one.
   */
  GROUP,
  /** A write waits until it is synced, which begins at once. Writes that wait share a sync. */
  BATCH
}
