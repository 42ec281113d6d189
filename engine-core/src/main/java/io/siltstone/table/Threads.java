package io.siltstone.table;

import io.siltstone.threads.Pools;
import io.siltstone.threads.Uninterruptibles;
import io.siltstone.threads.Worker;
import java.io.Closeable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The threads of a database: {@linkplain OwnThreads its own}, or those that it {@linkplain
 * SharedThreads shares} with others. Safe for all threads.
 */
public interface Threads {

  /** The purposes for which a database has threads. */
  enum Purpose {
    FLUSH("flush"),
    SCAN("scan"),
    CLEANER("cleaner"),
    TABLES("tables"),
    CALLBACKS("callbacks"),
    LOG_EVENTS("log-events"),
    COMMIT_LOG("commitlog"),
    TIMER("timer");

    private final String text;

    Purpose(String text) {
      this.text = text;
    }

    /** Returns the part of a thread's name. */
    String text() {
      return text;
    }
  }

  /**
   * Returns whether the calling thread works for the database, so that it cannot wait for the end
   * of its threads.
   */
  boolean isOwn();

  /**
   * Returns a pool, to be shut down by the caller.
   *
   * @param most how many tasks run at the same time at most
   */
  ExecutorService pool(Purpose purpose, int most);

  /** Returns a factory of workers. */
  Worker.Factory workers(Purpose purpose);

  /**
   * Runs a task periodically until the result is closed, which waits for a running one.
   *
   * @param nanos time from the end of one run to the beginning of the next
   * @param failed receives the exceptions of the task
   */
  Closeable periodically(Purpose purpose, long nanos, Runnable task, Consumer<Throwable> failed);

  /**
   * Returns a resource whose closing waits until a pool of one thread has run all its tasks; an
   * interrupt is kept.
   */
  static Closeable drained(ExecutorService pool) {
    return () -> {
      CountDownLatch done = new CountDownLatch(1);
      try {
        pool.execute(done::countDown);
      } catch (RejectedExecutionException e) {
        // The pool has no thread and cannot get one: no task is running.
        return;
      }
      Uninterruptibles.await(done);
    };
  }

  /**
   * Returns a resource whose closing ends a pool after it has run all its tasks; an interrupt is
   * kept.
   */
  static Closeable ending(ExecutorService pool) {
    return () -> Pools.end(pool);
  }
}
