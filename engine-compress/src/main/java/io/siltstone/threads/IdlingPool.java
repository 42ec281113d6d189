package io.siltstone.threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A pool whose threads end when there has been nothing to do for a while.
 *
 * <p>A task for which no thread can be started is rejected like one that comes after the end of the
 * pool: whoever hands tasks over has to have an answer to that anyway. A {@link ThreadPoolExecutor}
 * lets the {@link OutOfMemoryError} through to him, in the middle of what he does.
 *
 * <p>Safe for all threads. Its maker shuts it down, or lets its threads end by themselves.
 */
public final class IdlingPool extends ThreadPoolExecutor {

  /**
   * A pool of up to {@code most} threads; further tasks wait, however many.
   *
   * @param most 1 and more
   * @param idleSeconds after how long without a task a thread ends, 1 and more
   */
  public IdlingPool(int most, long idleSeconds, ThreadFactory threads) {
    super(most, most, idleSeconds, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    allowCoreThreadTimeOut(true);
  }

  /**
   * Has a thread run a task.
   *
   * @throws RejectedExecutionException if the pool is shut down, or no thread can be had
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
   * Keeps a thread from ending by what a task throws: another would have to be made, and where that
   * fails, what is queued would wait for ever.
   */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
