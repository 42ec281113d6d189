package io.siltstone.table;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * Slows the writers of one table while its compaction is far behind: else SSTables would pile up
 * until reads, and the disk, were no longer of any use. A writer waits for what was written before.
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
  // 0 for no limit.
  private volatile long bytesPerSecond;
  private volatile boolean isOver;
  // When what was written so far would have been written at the pace.
  private final AtomicLong dueNanos = new AtomicLong();

  /** By the machine's clock. */
  WriteThrottle() {
    this(System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * By a clock of one's own.
   *
   * @param nanoTime nanoseconds from some moment on
   * @param pause waits, for this object, about so many nanoseconds
   */
  WriteThrottle(LongSupplier nanoTime, ObjLongConsumer<Object> pause) {
    this.nanoTime = nanoTime;
    this.pause = pause;
  }

  /**
   * The pace for a debt: none up to the soft limit, then slower and slower to the hard one. Writers
   * are never stopped, so that nobody waits for ever for a compaction that cannot go on.
   *
   * @return bytes per second, 0 for as fast as they come
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
   * Sets the pace.
   *
   * @param value in bytes per second, 0 for none
   * @return what it was
   */
  long set(long value) {
    long before = bytesPerSecond;
    if (before == 0 && value > 0) {
      dueNanos.set(nanoTime.getAsLong());
    }
    bytesPerSecond = value;
    return before;
  }

  /** Takes note of what was written. */
  void wrote(long bytes) {
    long rate = bytesPerSecond;
    if (rate > 0) {
      long takes = (long) (bytes * (double) NANOS_PER_SECOND / rate);
      long now = nanoTime.getAsLong();
      dueNanos.accumulateAndGet(takes, (due, more) -> Math.max(due - now, 0) + now + more);
    }
  }

  /** There are writes again, after {@link #end}. */
  void resume() {
    isOver = false;
  }

  /** Nobody waits from now on, whatever is {@link #set}: no more writes are to come. */
  void end() {
    isOver = true;
  }

  /**
   * Waits until it is time to write again, or there is no pace any more; an interrupt does not
   * shorten it, and is kept.
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
