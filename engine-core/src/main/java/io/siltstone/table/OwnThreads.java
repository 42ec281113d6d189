package io.siltstone.table;

import io.siltstone.io.Directory;
import io.siltstone.threads.IdlingPool;
import io.siltstone.threads.ThreadWorker;
import io.siltstone.threads.Ticker;
import io.siltstone.threads.Worker;
import java.io.Closeable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Creates the threads of one database: daemons, whose names contain the database and their purpose.
 * Safe for all threads.
 */
public final class OwnThreads implements Threads {
  private static final long IDLE_SECONDS = 10;

  private final String database;

  /**
   * @param root of the database
   */
  public OwnThreads(Directory root) {
    String path = root.path();
    this.database = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  }

  private final class Own extends Thread {
    Own(Runnable task, String name) {
      super(task, name);
    }

    OwnThreads of() {
      return OwnThreads.this;
    }
  }

  @Override
  public boolean isOwn() {
    return Thread.currentThread() instanceof Own own && own.of() == this;
  }

  /** Returns a factory of numbered threads for one purpose. */
  private ThreadFactory named(Purpose purpose) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread =
          new Own(
              task, "siltstone-" + database + "-" + purpose.text() + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns a pool whose threads end when there is nothing to do. */
  @Override
  public ExecutorService pool(Purpose purpose, int most) {
    return new IdlingPool(most, IDLE_SECONDS, named(purpose));
  }

  @Override
  public Worker.Factory workers(Purpose purpose) {
    return ThreadWorker.factory(named(purpose));
  }

  @Override
  public Closeable periodically(
      Purpose purpose, long nanos, Runnable task, Consumer<Throwable> failed) {
    return Ticker.start(named(purpose), nanos, task, failed);
  }
}
