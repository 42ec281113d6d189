package io.siltstone.kafka.streams.host;

import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that maintains all databases of the JVM: it drops unused tables, makes the first
 * flush of new ones, and ends restores that do not go on. It exists while there is a database.
 *
 * <p>Tasks find out themselves whether their database was closed, and throw nothing. Safe for use
 * by all threads.
 */
final class MaintenanceThread {
  // A bulk restore takes 16 MiB of the heap.
  private static final int BULK_RESTORES = 2;

  private final Semaphore restores = new Semaphore(BULK_RESTORES);

  // Guarded by this.
  private final Map<Object, ScheduledFuture<?>> repeated = new HashMap<>();
  private @Nullable ScheduledThreadPoolExecutor timer;

  /** Runs a task from time to time until the result is closed, which does not wait for a run. */
  synchronized Closeable repeat(Runnable task, long seconds) {
    ScheduledThreadPoolExecutor present = timer;
    if (present == null) {
      present = new ScheduledThreadPoolExecutor(1, MaintenanceThread::thread);
      present.setRemoveOnCancelPolicy(true);
      // The tasks that remain after the last database is closed are not run.
      present.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
      timer = present;
    }
    Object key = new Object();
    repeated.put(key, present.scheduleWithFixedDelay(task, seconds, seconds, TimeUnit.SECONDS));
    return () -> remove(key);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "siltstone-maintenance");
    thread.setDaemon(true);
    return thread;
  }

  private synchronized void remove(Object key) {
    ScheduledFuture<?> task = repeated.remove(key);
    if (task != null) {
      // Without an interrupt, which would close files.
      task.cancel(false);
    }
    ScheduledThreadPoolExecutor present = timer;
    if (present != null && repeated.isEmpty()) {
      present.shutdown();
      timer = null;
    }
  }

  /** Runs a task soon, unless all databases are closed. */
  synchronized void run(Runnable task) {
    ScheduledThreadPoolExecutor present = timer;
    if (present != null) {
      present.execute(task);
    }
  }

  /** Returns the permits for restores by bulk loads. */
  Semaphore restores() {
    return restores;
  }

  /** Returns whether there is no database to maintain. */
  synchronized boolean isIdle() {
    return timer == null;
  }
}
