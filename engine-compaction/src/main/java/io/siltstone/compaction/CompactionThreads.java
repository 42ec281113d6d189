package io.siltstone.compaction;

import io.siltstone.threads.IdlingPool;
import io.siltstone.threads.Ticker;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Makes the threads of a service: daemons, of which those of pools end when they are idle. */
final class CompactionThreads {
  private final class Own extends Thread {
    Own(Runnable task, String name) {
      super(task, name);
    }

    CompactionThreads of() {
      return CompactionThreads.this;
    }
  }

  /** Whether the calling thread is one of them: it cannot wait for the end of jobs. */
  boolean isOwn() {
    return Thread.currentThread() instanceof Own own && own.of() == this;
  }

  private ThreadFactory named(String purpose) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Own(task, "siltstone-" + purpose + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  ThreadPoolExecutor pool(String purpose, int threads, long idleSeconds) {
    return new IdlingPool(threads, idleSeconds, named(purpose));
  }

  /** Begins to do something again and again. */
  Ticker ticker(String purpose, long seconds, Runnable task, Consumer<Throwable> failed) {
    return Ticker.start(named(purpose), TimeUnit.SECONDS.toNanos(seconds), task, failed);
  }
}
