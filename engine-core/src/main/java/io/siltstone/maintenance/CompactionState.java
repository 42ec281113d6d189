package io.siltstone.maintenance;

/**
 * The backlog of compaction of a table.
 *
 * @param pendingJobs the number of jobs that wait for a thread
 * @param runningJobs the number of jobs that are running
 * @param debtBytes the bytes in data files that must be read until the strategy has nothing left to
 *     do
 */
public record CompactionState(int pendingJobs, int runningJobs, long debtBytes) {
  /** No jobs and no debt. */
  public static final CompactionState IDLE = new CompactionState(0, 0, 0);
}
