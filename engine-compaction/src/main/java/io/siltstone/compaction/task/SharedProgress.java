package io.siltstone.compaction.task;

import java.util.concurrent.CancellationException;

/**
 * What the parts of one task have in common while they run: the progress of the task, and that all
 * give up when one of them has failed. Safe for all threads.
 */
final class SharedProgress {
  private final TaskProgress progress;
  private volatile boolean isGivenUp;

  SharedProgress(TaskProgress progress) {
    this.progress = progress;
  }

  /** Takes note of uncompressed bytes that were read; waits or gives up if it is told to. */
  void read(long bytes) {
    progress.read(bytes);
    check();
  }

  /** Whether the next that reads has to wait. */
  boolean isPaused() {
    return progress.isPaused();
  }

  /** Waits or gives up if it is told to, by what is read beside the inputs. */
  void readBeside() {
    read(0);
  }

  /** Takes note of uncompressed bytes that were written. */
  void wrote(long bytes) {
    progress.wrote(bytes);
  }

  /** Does not wait. */
  void check() {
    progress.checkCancelled();
    if (isGivenUp) {
      throw new CancellationException("another part of the compaction has failed");
    }
  }

  /** Ends all parts. */
  void giveUp() {
    isGivenUp = true;
  }
}
