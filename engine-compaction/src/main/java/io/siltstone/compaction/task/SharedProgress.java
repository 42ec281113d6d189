package io.siltstone.compaction.task;

import java.util.concurrent.CancellationException;

/**
 * The progress that the subcompactions of one task share, and the signal by which all of them stop
 * when one has failed. Safe for all threads.
 */
final class SharedProgress {
  private final TaskProgress progress;
  private volatile boolean isGivenUp;

  SharedProgress(TaskProgress progress) {
    this.progress = progress;
  }

  /** Counts uncompressed bytes that were read of the inputs. Blocks while the task is paused. */
  void read(long bytes) {
    progress.read(bytes);
    check();
  }

  /** Returns whether the task is paused, so that the next reader blocks. */
  boolean isPaused() {
    return progress.isPaused();
  }

  /** Blocks while the task is paused; for reads of SSTables that are not inputs. */
  void readOther() {
    read(0);
  }

  /** Counts uncompressed bytes that were written. */
  void wrote(long bytes) {
    progress.wrote(bytes);
  }

  /**
   * Checks for cancellation, without blocking.
   *
   * @throws CancellationException if the task was cancelled, or another subcompaction has failed
   */
  void check() {
    progress.checkCancelled();
    if (isGivenUp) {
      throw new CancellationException("another subcompaction has failed");
    }
  }

  /** Stops all subcompactions. */
  void giveUp() {
    isGivenUp = true;
  }
}
