package io.siltstone.threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread pool whose threads end when there has been nothing to do for a while.
 *
 * <p>If no thread can be started for a task, the task is rejected, as it is after the pool was shut
 * down: callers have to handle a rejection anyway. A {@link ThreadPoolExecutor} would throw the
 * {@link OutOfMemoryError} in the calling thread instead.
 *
 * <p>Safe for use by all threads. The owner shuts it down, or lets its threads end by themselves.
 */
public final class IdlingPool extends ThreadPoolExecutor {

  /**
   * Creates a pool of up to {@code most} threads and an unbounded queue.
   *
   * @param most 1 and more
   * @param idleSeconds idle time in seconds after which a thread ends, 1 and more
   */
  public IdlingPool(int most, long idleSeconds, ThreadFactory threads) {
    super(most, most, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task in a thread of the pool.
   *
   * @throws RejectedExecutionException if the pool is shut down, or no thread can be started
   */
  @Override
  public void execute(Runnable task) {
    try {
      super.execute(() -> run(task));
    } catch (OutOfMemoryError e) {
      throw new RejectedExecutionException("no thread or memory for a task", e);
    }
  }

  /**
   * Catches what a task throws, so that its thread goes on. Otherwise the pool would have to start
   * another thread, and if that failed, queued tasks would wait forever.
   */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      Pools.uncaught(e);
    }
  }
}
