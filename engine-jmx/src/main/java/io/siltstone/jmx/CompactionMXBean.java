package io.siltstone.jmx;

import java.util.List;

/**
 * The compaction of a database. Throughput, pause and number of threads are those of the service,
 * which other databases may share; jobs are those of the database.
 */
public interface CompactionMXBean {
  /** Returns the greatest number of concurrent jobs. */
  int getConcurrentCompactors();

  /** Returns the limit on what all jobs together read, in bytes per second; 0 for none. */
  long getBytesPerSecond();

  /**
   * Changes the limit, also for running jobs.
   *
   * @param value 0 for no limit, or 64 KiB and more
   */
  void setBytesPerSecond(long value);

  /** Returns whether all jobs are paused. */
  boolean isPaused();

  /** Returns the running jobs, the oldest first. */
  List<CompactionJob> getRunning();

  /**
   * Pauses all jobs, and starts no more jobs of the strategies. Requested jobs are started, and
   * wait before they read anything.
   */
  void pause();

  /** Resumes all jobs. */
  void resume();

  /**
   * Cancels a job; its inputs stay.
   *
   * @param job its id
   * @return false if the job does not exist, or not any more
   */
  boolean cancel(String job);
}
