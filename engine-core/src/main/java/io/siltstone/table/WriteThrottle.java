package io.siltstone.table;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * The write throttle of one table, a soft write stall: slows its writers while compaction is far
 * behind. Otherwise SSTables would pile up until reads become useless and the disk is full. A
 * writer waits for the bytes that were written before its own.
 *
 * <p>Safe for all threads.
 */
final class WriteThrottle {
  private static final long FASTEST_BYTES_PER_SECOND = 64L << 20;
  private static final long SLOWEST_BYTES_PER_SECOND = 1L << 20;
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final LongSupplier nanoTime;
  private final ObjLongConsumer<Object> pause;
  // The rate; 0 for no limit.
  private volatile long bytesPerSecond;
  private volatile boolean isOver;
  // When all that was written so far would have been written at that rate.
  private final AtomicLong dueNanos = new AtomicLong();

  /** Creates a throttle with the system clock. */
  WriteThrottle() {
    this(System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * Creates a throttle with another clock.
   *
   * @param nanoTime nanoseconds since any moment
   * @param pause waits for about so many nanoseconds, on this object
   */
  WriteThrottle(LongSupplier nanoTime, ObjLongConsumer<Object> pause) {
    this.nanoTime = nanoTime;
    this.pause = pause;
  }

  /**
   * Returns the rate for a compaction debt: no limit up to the soft limit, then a lower and lower
   * rate up to the hard limit. Writers are never stopped, so that none waits forever for a
   * compaction that cannot go on.
   *
   * @return bytes per second, 0 for no limit
   */
  static long of(long debtBytes, long softBytes, long hardBytes) {
    if (debtBytes <= softBytes) {
      return 0;
    }
    double excess = Math.min(1, (debtBytes - softBytes) / (double) (hardBytes - softBytes));
    return Math.round(
        FASTEST_BYTES_PER_SECOND - excess * (FASTEST_BYTES_PER_SECOND - SLOWEST_BYTES_PER_SECOND));
  }

  /**
   * Sets the rate.
   *
   * @param value in bytes per second, 0 for no limit
   * @return the rate before
   */
  long set(long value) {
    long before = bytesPerSecond;
    if (before == 0 && value > 0) {
      dueNanos.set(nanoTime.getAsLong());
    }
    bytesPerSecond = value;
    return before;
  }

  /** Counts bytes that were written. */
  void wrote(long bytes) {
    long rate = bytesPerSecond;
    if (rate > 0) {
      long takes = (long) (bytes * (double) NANOS_PER_SECOND / rate);
      long now = nanoTime.getAsLong();
      dueNanos.accumulateAndGet(takes, (due, more) -> Math.max(due - now, 0) + now + more);
    }
  }

  /** Resumes after {@link #end}. */
  void resume() {
    isOver = false;
  }

  /** Ends all waiting, also after later calls of {@link #set}, since there are no more writes. */
  void end() {
    isOver = true;
  }

  /**
   * Waits until a write is due, or there is no limit any more. An interrupt does not shorten the
   * wait, and is kept.
   */
  void await() {
    boolean interrupted = false;
    while (bytesPerSecond > 0 && !isOver) {
      long left = dueNanos.get() - nanoTime.getAsLong();
      if (left <= 0) {
        break;
      }
      pause.accept(this, Math.min(left, LONGEST_PAUSE_NANOS));
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
