package io.siltstone.bench.peers;

import com.sun.management.ThreadMXBean;
import io.siltstone.bench.workload.ProcessUsage;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Runs the same operation repeatedly in several threads for a time. */
public final class TimedLoop {
  private static final double NANOS = 1e9;
  private static final int DIGITS = 3;

  private TimedLoop() {}

  /** The operation. */
  @FunctionalInterface
  public interface Operation {
    /**
     * Runs it once.
     *
     * @param random of the thread
     * @param number of the operation within the thread, from 0
     */
    void run(SplittableRandom random, long number) throws Exception;
  }

  /**
   * The measured result.
   *
   * @param seconds duration
   * @param nanos latencies of the operations
   * @param allocatedBytes heap allocated by the threads
   * @param cpuNanos processor time of the whole process, the collection of garbage included
   */
  public record Result(double seconds, Histogram nanos, long allocatedBytes, long cpuNanos) {
    /** Returns the operations per second of all threads. */
    public double opsPerSecond() {
      return nanos.getTotalCount() / seconds;
    }

    /** Returns the mean number of bytes allocated per operation. */
    public double allocatedBytesPerOperation() {
      return (double) allocatedBytes / Math.max(1, nanos.getTotalCount());
    }

    /** Returns the mean processor time of an operation. */
    public double cpuNanosPerOperation() {
      return (double) cpuNanos / Math.max(1, nanos.getTotalCount());
    }
  }

  /** Warms up for the same time, then runs. */
  public static Result run(int threads, double seconds, Operation operation) throws Exception {
    round(threads, seconds, operation, 1);
    return round(threads, seconds, operation, 2);
  }

  private static Result round(int threads, double seconds, Operation operation, long seed)
      throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      SplittableRandom seeds = new SplittableRandom(seed);
      long cpu = ProcessUsage.now().cpuNanos();
      long start = System.nanoTime();
      long end = start + (long) (seconds * NANOS);
      List<Future<Result>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom random = seeds.split();
        futures.add(executor.submit(() -> loop(operation, random, end)));
      }
      Histogram nanos = new Histogram(DIGITS);
      long allocated = 0;
      for (Future<Result> future : futures) {
        Result one = future.get();
        nanos.add(one.nanos());
        allocated += one.allocatedBytes();
      }
      return new Result(
          (System.nanoTime() - start) / NANOS,
          nanos,
          allocated,
          ProcessUsage.now().cpuNanos() - cpu);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      executor.shutdownNow();
    }
  }

  private static Result loop(Operation operation, SplittableRandom random, long end)
      throws Exception {
    Histogram nanos = new Histogram(DIGITS);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long allocated = threads.getThreadAllocatedBytes(thread);
    long number = 0;
    long now = System.nanoTime();
    while (now < end) {
      operation.run(random, number++);
      long then = System.nanoTime();
      nanos.recordValue(then - now);
      now = then;
    }
    return new Result(0, nanos, threads.getThreadAllocatedBytes(thread) - allocated, 0);
  }
}
