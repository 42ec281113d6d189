package io.siltstone.bench.state;

import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.ProcessUsage;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * A stopwatch of time and of the processor time of this process, all threads included: those of the
 * JIT compiler and of the collection of garbage too.
 *
 * @param nanoTime the moment of the start, by {@link System#nanoTime}
 * @param cpuNanos processor time until then
 */
record ProcessorWatch(long nanoTime, long cpuNanos) {
  private static final double NANOS = 1e9;
  private static final long LOOK_MILLIS = 20;
  private static final long IDLE_NANOS = 2_000_000;
  private static final int MOST_LOOKS = 500;
  private static final int MOST_TIMES = 20;
  // Java counts the time of a process in hundredths of a second.
  private static final long LEAST_NANOS = 10_000_000;

  static ProcessorWatch start() {
    return new ProcessorWatch(System.nanoTime(), ProcessUsage.cpuNanosNow());
  }

  /** Returns for how long the JIT compiler has run, in milliseconds; 0 if there is none. */
  static long compilationMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
        ? 0
        : compiler.getTotalCompilationTime();
  }

  /**
   * Returns whether a time has passed, and the process had as much processor time: on a machine
   * that does other work, it would not even have compiled its code otherwise. It does not wait for
   * more than {@value #MOST_TIMES} times the time.
   */
  boolean hasRun(double seconds) {
    double passed = (System.nanoTime() - nanoTime) / NANOS;
    return passed >= seconds
        && (passed >= MOST_TIMES * seconds
            || (ProcessUsage.cpuNanosNow() - cpuNanos) / NANOS >= seconds);
  }

  /** Puts the rates of operations that have ended now, with all that they have caused. */
  void stop(StateWorkload workload, String engine, long operations, NamedValues result)
      throws InterruptedException {
    double seconds = (System.nanoTime() - nanoTime) / NANOS;
    double cpuSeconds = Math.max(awaitIdle() - cpuNanos, LEAST_NANOS) / NANOS;
    result.put(workload.perSecond(engine), operations / seconds);
    result.put(workload.perProcessorSecond(engine), operations / cpuSeconds);
  }

  /**
   * Waits until no thread does anything in the background, such as a flush, so that it counts for
   * what has caused it; ten seconds at most.
   *
   * @return the processor time until then, in nanoseconds
   */
  static long awaitIdle() throws InterruptedException {
    long before = ProcessUsage.cpuNanosNow();
    for (int look = 0; look < MOST_LOOKS; look++) {
      Thread.sleep(LOOK_MILLIS);
      long now = ProcessUsage.cpuNanosNow();
      if (now - before < IDLE_NANOS) {
        return now;
      }
      before = now;
    }
    return before;
  }
}
