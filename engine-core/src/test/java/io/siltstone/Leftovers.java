package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What databases that were closed must not leave behind. */
final class Leftovers {
  private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(30);

  private Leftovers() {}

  /** Fails if a thread of a database is there still. One that has done its last work may end. */
  static void requireNoThreads() {
    boolean interrupted = false;
    for (Thread thread : threads()) {
      try {
        thread.join(PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    assertThat(threads()).isEmpty();
  }

  /** Off-heap bytes of this process that were not given back, as the JVM counts them. */
  static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith("siltstone-"))
        .toList();
  }
}
