package io.siltstone.threads;

import org.jspecify.annotations.Nullable;

/**
 * A task that an executor may have in its queue for long after it has become needless. Recalled, it
 * does nothing any more, and keeps nothing of what it would have worked on.
 *
 * <p>Safe for all threads; may be executed several times.
 */
public final class RecallableTask implements Runnable {
  private volatile @Nullable Runnable task;

  /** Of what is to be done. */
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

  /** Takes it back. Does not wait for runs that have begun. */
  public void recall() {
    task = null;
  }
}
