package io.siltstone.spi;

/**
 * How far compaction of a table is behind.
 *
 * @param pendingJobs that wait for a thread
 * @param runningJobs that are being done
 * @param debtBytes of data files that are to be read before the strategy has nothing to do
 */
public record CompactionState(int pendingJobs, int runningJobs, long debtBytes) {
  /** Nothing to do. */
  public static final CompactionState IDLE = new CompactionState(0, 0, 0);
}
