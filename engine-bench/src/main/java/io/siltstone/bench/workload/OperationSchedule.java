package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Determines when each operation is due, over all threads. With a rate, the n-th operation is due
 * n/rate seconds after the start, however long the others take, so that the latency of an operation
 * that waited for a slow one includes the wait (coordinated omission: Tene, How not to measure
 * latency). Operations that are still waiting at the end do not begin; see {@link #missed}. Safe
 * for use by all threads.
 */
final class OperationSchedule {
  /** The value after the last operation. */
  static final long END = Long.MIN_VALUE;

  private static final double NANOS = 1e9;

  /** The delay with which a parked thread wakes up; the rest of a wait is spent spinning. */
  private static final long PARK_SLACK_NANOS = 80_000;

  /** The longest time between two checks whether the schedule has ended. */
  private static final long MOST_PARK_NANOS = 50_000_000;

  private final LongSupplier nanoTime;
  private final long start;
  private final long end;
  private final double nanosPerOperation;
  private final long operations;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder begun = new LongAdder();
  private volatile boolean isStopped;
  // Set before the flag that the schedule was stopped.
  private volatile long stoppedAt;

  /**
   * Begins now.
   *
   * @param nanoTime the clock
   * @param opsPerSecond 0 for no rate
   * @param operations greatest number
   * @param durationNanos greatest duration
   */
  OperationSchedule(
      LongSupplier nanoTime, double opsPerSecond, long operations, long durationNanos) {
    this.nanoTime = nanoTime;
    this.operations = operations;
    start = nanoTime.getAsLong();
    end = start + durationNanos;
    nanosPerOperation = opsPerSecond == 0 ? 0 : NANOS / opsPerSecond;
  }

  /** Returns the time of its beginning, by its clock. */
  long start() {
    return start;
  }

  /** Makes {@link #next} return {@link #END} from now on. */
  synchronized void stop() {
    if (!isStopped) {
      stoppedAt = nanoTime.getAsLong();
      isStopped = true;
    }
  }

  boolean isStopped() {
    return isStopped;
  }

  /**
   * Waits until the next operation is due; returns the time at which it was due, or {@link #END}.
   */
  long next() {
    long number = next.getAndIncrement();
    if (number >= operations) {
      return END;
    }
    long due =
        nanosPerOperation == 0 ? nanoTime.getAsLong() : start + (long) (number * nanosPerOperation);
    if (due - end >= 0) {
      return END;
    }
    while (!isStopped) {
      long now = nanoTime.getAsLong();
      if (now - end >= 0) {
        return END;
      }
      long wait = due - now;
      if (wait <= 0) {
        begun.increment();
        return due;
      }
      if (wait > PARK_SLACK_NANOS) {
        LockSupport.parkNanos(Math.min(MOST_PARK_NANOS, wait - PARK_SLACK_NANOS));
      } else {
        Thread.onSpinWait();
      }
    }
    return END;
  }

  /**
   * Returns the number of operations that were due before the end and had not begun; 0 without a
   * rate. Called after the end, when no thread calls {@link #next} any more.
   */
  long missed() {
    if (nanosPerOperation == 0) {
      return 0;
    }
    return Math.max(
        0, Math.min(operations, (long) Math.ceil(passed() / nanosPerOperation)) - begun.sum());
  }

  /**
   * Returns how long one of the {@link #missed} operations had waited at the end, in nanoseconds;
   * its latency would have been greater.
   *
   * @param number 0 for the one that had waited longest
   */
  long waited(long number) {
    return Math.max(0, (long) (passed() - (begun.sum() + number) * nanosPerOperation));
  }

  private long passed() {
    long whole = end - start;
    return isStopped ? Math.min(whole, stoppedAt - start) : whole;
  }
}
