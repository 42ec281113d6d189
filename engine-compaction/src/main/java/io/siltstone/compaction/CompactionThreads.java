package io.siltstone.compaction;

import io.siltstone.threads.IdlingPool;
import io.siltstone.threads.Ticker;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Creates the threads of a compaction service: daemons, which end when they are idle. */
final class CompactionThreads {
  private final class CompactionThread extends Thread {
    CompactionThread(Runnable task, String name) {
      super(task, name);
    }

    CompactionThreads creator() {
      return CompactionThreads.this;
    }
  }

  /**
   * Returns whether the calling thread is one of the service: such a thread must not wait for jobs
   * to end.
   */
  boolean isCompactionThread() {
    return Thread.currentThread() instanceof CompactionThread own && own.creator() == this;
  }

  private ThreadFactory named(String purpose) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread =
          new CompactionThread(task, "siltstone-" + purpose + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  ThreadPoolExecutor pool(String purpose, int threads, long idleSeconds) {
    return new IdlingPool(threads, idleSeconds, named(purpose));
  }

  /** Starts a periodic task. */
  Ticker ticker(String purpose, long seconds, Runnable task, Consumer<Throwable> failed) {
    return Ticker.start(named(purpose), TimeUnit.SECONDS.toNanos(seconds), task, failed);
  }
}
