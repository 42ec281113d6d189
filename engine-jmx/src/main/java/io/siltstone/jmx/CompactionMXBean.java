package io.siltstone.jmx;

import java.util.List;

/**
 * The compaction of a database. Throughput, pause and number of threads are those of the service,
 * which may serve other databases too; jobs are those of the database.
 */
public interface CompactionMXBean {
  /** Jobs that may run at once. */
  int getConcurrentCompactors();

  /** Bytes a second that all jobs together may read; 0 for no limit. */
  long getBytesPerSecond();

  /**
   * Changes the limit, also for jobs that run.
   *
   * @param value 0 for no limit, or 64 KiB and more
   */
  void setBytesPerSecond(long value);

  /** Whether all jobs wait, and none begins that nobody asked for. */
  boolean isPaused();

  /** The jobs that run, those that began first first. */
  List<CompactionJob> getRunning();

  /**
   * Has all jobs wait where they are, and begins none that nobody asks for. What is asked for is
   * among those that run, and waits before it reads anything.
   */
  void pause();

  /** Goes on. */
  void resume();

  /**
   * Ends a job; its inputs stay.
   *
   * @param job its id
   * @return false if there is no such job, or not any more
   */
  boolean cancel(String job);
}
