package io.siltstone.bench.workload;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * When each operation should begin, over all threads. With a rate the n-th is due n/rate seconds
 * after the start, whatever the others take, so that an operation which had to wait behind a slow
 * one counts its waiting (coordinated omission: Tene, How not to measure latency). Those that are
 * still waiting when it ends do not begin any more; {@link #missed} tells of them. Safe for all
 * threads.
 */
final class Schedule {
  /** There is nothing more to do. */
  static final long END = Long.MIN_VALUE;

  private static final double NANOS = 1e9;

  /** A thread that parks wakes up about so much late; the rest is spun away. */
  private static final long PARK_SLACK_NANOS = 80_000;

  /** Between two looks at whether it is over. */
  private static final long MOST_PARK_NANOS = 50_000_000;

  private final LongSupplier nanoTime;
  private final long start;
  private final long end;
  private final double nanosPerOperation;
  private final long operations;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder begun = new LongAdder();
  private volatile boolean isStopped;
  // When it was, before that was set.
  private volatile long stoppedAt;

  /**
   * Begins now.
   *
   * @param nanoTime the clock
   * @param opsPerSecond 0 for no rate
   * @param operations at most
   * @param durationNanos at most
   */
  Schedule(LongSupplier nanoTime, double opsPerSecond, long operations, long durationNanos) {
    this.nanoTime = nanoTime;
    this.operations = operations;
    start = nanoTime.getAsLong();
    end = start + durationNanos;
    nanosPerOperation = opsPerSecond == 0 ? 0 : NANOS / opsPerSecond;
  }

  /** When it began, by its clock. */
  long start() {
    return start;
  }

  /** Lets {@link #next} give {@link #END} from now on. */
  synchronized void stop() {
    if (!isStopped) {
      stoppedAt = nanoTime.getAsLong();
      isStopped = true;
    }
  }

  boolean isStopped() {
    return isStopped;
  }

  /** Waits until the next operation is due; gives the moment at which it was, or {@link #END}. */
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
   * Operations that were due before it ended, and had not begun: none without a rate. To be asked
   * when it has ended, and no thread asks for the next any more.
   */
  long missed() {
    if (nanosPerOperation == 0) {
      return 0;
    }
    return Math.max(
        0, Math.min(operations, (long) Math.ceil(passed() / nanosPerOperation)) - begun.sum());
  }

  /**
   * How long one of the {@link #missed} had waited when it ended, in nanoseconds: it would have
   * taken longer than that.
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
