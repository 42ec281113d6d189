package io.siltstone.backup;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Limits the bytes per second of a backup or restore: the thread sleeps when it is ahead of the
 * rate. Time in which it was slower is not made up for. An interrupt does not end a sleep, and is
 * kept.
 */
public final class Pace {
  /** The greatest number of bytes per second that is a limit. */
  private static final long MOST = Long.MAX_VALUE / TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final LongSupplier clock;
  private final LongConsumer sleep;
  private long dueNanos;

  private Pace(long bytesPerSecond, LongSupplier clock, LongConsumer sleep) {
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
    this.sleep = sleep;
    this.dueNanos = clock.getAsLong();
  }

  /** Returns the pace of a rate in bytes per second; 0 for no limit. */
  public static Pace of(long bytesPerSecond) {
    return of(bytesPerSecond, System::nanoTime, Pace::sleepNanos);
  }

  /** Returns a pace by another clock. */
  static Pace of(long bytesPerSecond, LongSupplier clock, LongConsumer sleep) {
    return new Pace(Math.min(bytesPerSecond, MOST), clock, sleep);
  }

  /** Waits until that many bytes may have passed. */
  void passed(long bytes) {
    if (bytesPerSecond == 0) {
      return;
    }
    long now = clock.getAsLong();
    long from = dueNanos - now > 0 ? dueNanos : now;
    // Steps have at most some 100 KB, so that the product does not overflow.
    dueNanos = from + bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    if (dueNanos - now > 0) {
      sleep.accept(dueNanos - now);
    }
  }

  private static void sleepNanos(long nanos) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = false;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      try {
        TimeUnit.NANOSECONDS.sleep(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
