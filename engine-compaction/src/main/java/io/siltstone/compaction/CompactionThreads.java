package io.siltstone.compaction;

import io.siltstone.threads.IdlingPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the threads of a service: daemons that end when they have been idle. */
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

  ScheduledThreadPoolExecutor timer(String purpose, long idleSeconds) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named(purpose));
    timer.setKeepAliveTime(idleSeconds, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }
}
