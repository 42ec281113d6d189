package io.siltstone.commitlog;

/**
 * When the commit log is synced, and what a write waits for; as Cassandra's {@code commitlog_sync}.
 */
public enum SyncMode {
  /**
   * Synced at an interval. A write does not wait, unless the last sync began longer ago than one
   * and a half intervals. A power loss takes what was written since the last sync; the kill of the
   * process alone takes what was not yet handed to the operating system, which is 64 KiB or 100 ms
   * at most while the disk keeps up.
   */
  PERIODIC,
  /** A write waits until it is synced; syncs are delayed by a window so that writes share them. */
  GROUP,
  /** A write waits until it is synced, which happens at once; writes that wait share a sync. */
  BATCH
}
