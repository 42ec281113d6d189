package io.siltstone.commitlog;

/**
 * The sync mode of the commit log (periodic, group commit or batch), as Cassandra's {@code
 * commitlog_sync}. In every mode a write is handed to the operating system before it is
 * acknowledged. The death of the process therefore loses no acknowledged write.
 */
public enum SyncMode {
  /**
   * The log is synced at an interval. A write does not wait for it, unless the last sync began more
   * than one and a half intervals ago. A power loss loses the writes since the last sync.
   */
  PERIODIC,
  /**
   * Group commit: a write waits until it is synced. Syncs are delayed by a window so that more
   * writes share one.
   */
  GROUP,
  /** A write waits until it is synced; the sync begins at once. Writes that wait share a sync. */
  BATCH
}
