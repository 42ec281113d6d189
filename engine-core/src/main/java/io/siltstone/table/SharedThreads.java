package io.siltstone.table;

import io.siltstone.threads.FairPool;
import io.siltstone.threads.PooledWorker;
import io.siltstone.threads.Worker;
import java.io.Closeable;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The threads that several databases share: a pool for flushes, one for scans, one for the syncs of
 * commit logs, one for all that is done in the background, and a timer. Databases take turns in
 * each of them ({@link FairPool}). What users have given to be run, callbacks and listeners, runs
 * in a pool that grows as needed, with one thread for each database at most, since it may wait for
 * anything.
 *
 * <p>Threads that have had nothing to do for ten seconds end, except for the timer.
 *
 * <p>Safe for all threads. The owner closes it after the databases.
 */
public final class SharedThreads implements Closeable {
  private static final long IDLE_SECONDS = 10;

  // Logs wait for the disk, and file systems with a journal sync several of them at once.
  private static final int LOG_THREADS = 8;
  private static final int BACKGROUND_THREADS = 4;
  // Tables are opened and created by these and the caller.
  private static final int TABLE_THREADS = 3;
  private static final String NAME = "siltstone-shared-";

  private final Map<Threads.Purpose, FairPool> pools = new EnumMap<>(Threads.Purpose.class);
  private final ScheduledThreadPoolExecutor timer;

  /**
   * @param flushThreads the number of flushes at the same time
   * @param scanThreads the number of threads that read ahead of scans, 0 for none
   */
  public SharedThreads(int flushThreads, int scanThreads) {
    FairPool background = pool("background", BACKGROUND_THREADS);
    FairPool users = pool("callbacks", Integer.MAX_VALUE);
    pools.put(Threads.Purpose.FLUSH, pool("flush", flushThreads));
    if (scanThreads > 0) {
      pools.put(Threads.Purpose.SCAN, pool("scan", scanThreads));
    }
    pools.put(Threads.Purpose.COMMIT_LOG, pool("commitlog", LOG_THREADS));
    pools.put(Threads.Purpose.CLEANER, background);
    pools.put(Threads.Purpose.TIMER, background);
    pools.put(Threads.Purpose.TABLES, pool("tables", TABLE_THREADS));
    pools.put(Threads.Purpose.CALLBACKS, users);
    pools.put(Threads.Purpose.LOG_EVENTS, users);
    timer = new ScheduledThreadPoolExecutor(1, FairPool.factory(NAME + "timer"));
    timer.setRemoveOnCancelPolicy(true);
  }

  private static FairPool pool(String purpose, int threads) {
    return new FairPool(threads, IDLE_SECONDS, FairPool.factory(NAME + purpose));
  }

  /** Returns the threads of one database. */
  public Threads ofDatabase() {
    return new OfDatabase();
  }

  /** Returns whether the calling thread is one of these. */
  public boolean isOwn() {
    return FairPool.currentUser() instanceof OfDatabase database && database.shared() == this;
  }

  private FairPool pool(Threads.Purpose purpose) {
    FairPool pool = pools.get(purpose);
    if (pool == null) {
      throw new IllegalStateException("there are no shared threads for " + purpose.text());
    }
    return pool;
  }

  /** Ends the threads. */
  @Override
  public void close() {
    timer.shutdownNow();
    pools.values().forEach(FairPool::close);
  }

  private final class OfDatabase implements Threads {
    SharedThreads shared() {
      return SharedThreads.this;
    }

    @Override
    public boolean isOwn() {
      return FairPool.currentUser() == this;
    }

    @Override
    public ExecutorService pool(Purpose purpose, int most) {
      return SharedThreads.this.pool(purpose).lane(this, most);
    }

    @Override
    public Worker.Factory workers(Purpose purpose) {
      return turn -> new PooledWorker(pool(purpose, 1), timer, turn);
    }

    @Override
    public Closeable periodically(
        Purpose purpose, long nanos, Runnable task, Consumer<Throwable> failed) {
      Periodic periodic = new Periodic(pool(purpose, 1), task, failed);
      Future<?> ticks =
          timer.scheduleWithFixedDelay(periodic::due, nanos, nanos, TimeUnit.NANOSECONDS);
      return () -> {
        ticks.cancel(false);
        Threads.ending(periodic.lane).close();
      };
    }
  }

  /** A task of one database that the timer submits, unless the last run has not ended yet. */
  private static final class Periodic {
    private final ExecutorService lane;
    private final Runnable task;
    private final Consumer<Throwable> failed;
    private final AtomicBoolean isSubmitted = new AtomicBoolean();

    Periodic(ExecutorService lane, Runnable task, Consumer<Throwable> failed) {
      this.lane = lane;
      this.task = task;
      this.failed = failed;
    }

    void due() {
      if (isSubmitted.compareAndSet(false, true)) {
        try {
          lane.execute(this::run);
        } catch (RejectedExecutionException e) {
          // There may be a thread the next time.
          isSubmitted.set(false);
        }
      }
    }

    private void run() {
      try {
        task.run();
      } catch (Throwable e) {
        failed.accept(e);
      } finally {
        isSubmitted.set(false);
      }
    }
  }
}
