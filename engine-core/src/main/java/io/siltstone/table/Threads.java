package io.siltstone.table;

import io.siltstone.io.Directory;
import io.siltstone.threads.IdlingPool;
import java.io.Closeable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the threads of a database: daemons, whose names contain the database and their purpose.
 * Safe for all threads.
 */
public final class Threads {
  private static final long IDLE_SECONDS = 10;

  private final String database;

  /**
   * @param root of the database
   */
  public Threads(Directory root) {
    String path = root.path();
    this.database = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }

  private final class Own extends Thread {
    Own(Runnable task, String name) {
      super(task, name);
    }

    Threads of() {
      return Threads.this;
    }
  }

  /** Returns whether the calling thread is one of these, so that it cannot wait for their end. */
  public boolean isOwn() {
    return Thread.currentThread() instanceof Own own && own.of() == this;
  }

  /** Returns a factory of numbered threads for one purpose. */
  public ThreadFactory named(String purpose) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread =
          new Own(task, "siltstone-" + database + "-" + purpose + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns a pool of up to that many threads, which end when there is nothing to do. */
  public ExecutorService pool(String purpose, int threads) {
    return new IdlingPool(threads, IDLE_SECONDS, named(purpose));
  }

  /**
   * Returns a resource whose closing waits until a pool of one thread has run all its tasks; an
   * interrupt is kept.
   */
  public static Closeable drained(ExecutorService pool) {
    return () -> {
      CountDownLatch done = new CountDownLatch(1);
      try {
        pool.execute(done::countDown);
      } catch (RejectedExecutionException e) {
        // The pool has no thread and cannot get one: no task is running.
        return;
      }
      await(done);
    };
  }

  /** Waits for a latch; an interrupt is kept. */
  static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns a resource whose closing ends a pool after it has run all its tasks; an interrupt is
   * kept.
   */
  public static Closeable ending(ExecutorService pool) {
    return () -> {
      pool.shutdown();
      boolean interrupted = false;
      boolean ended = false;
      while (!ended) {
        try {
          ended = pool.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    };
  }
}
