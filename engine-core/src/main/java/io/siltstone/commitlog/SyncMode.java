package io.siltstone.commitlog;

/**
 * When the commit log is synced, and what a write waits for, like Cassandra's {@code
 * commitlog_sync}. In every mode a write is handed to the operating system before it is
 * acknowledged: the death of the process, however it comes, loses nothing that was acknowledged.
 */
public enum SyncMode {
  /**
   * The log is synced at an interval. A write does not wait for that, unless the last sync began
   * longer ago than one and a half intervals. A power loss loses what was written since the last
   * sync.
   */
  PERIODIC,
  /**
   * A write waits until it is synced. Syncs are delayed by a window so that more writes share one.
   */
  GROUP,
  /** A write waits until it is synced, which begins at once. Writes that wait share a sync. */
  BATCH
}
