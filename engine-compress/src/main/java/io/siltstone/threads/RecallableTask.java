package io.siltstone.threads;

import org.jspecify.annotations.Nullable;

/**
 * A task that can be recalled while an executor still has it in its queue. A recalled task does
 * nothing, and releases the objects that it would have used.
 *
 * <p>Safe for use by all threads; may be executed several times.
 */
public final class RecallableTask implements Runnable {
  private volatile @Nullable Runnable task;

  /** Creates a task that runs another one. */
  public RecallableTask(Runnable task) {
    this.task = task;
  }

  @Override
  public void run() {
    Runnable present = task;
    if (present != null) {
      present.run();
    }
  }

  /** Recalls the task. Does not wait for runs that have begun. */
  public void recall() {
    task = null;
  }
}
