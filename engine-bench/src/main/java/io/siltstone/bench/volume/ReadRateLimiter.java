package io.siltstone.bench.volume;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the rate of reads: reads per second, and bytes per second. A read of more than 256 KiB
 * counts as several. Unused capacity can be used within {@value #BURST_MILLIS} ms. Safe for use by
 * all threads.
 */
public final class ReadRateLimiter {
  /** Greatest size of a read that counts as one, as cloud volumes count. */
  public static final int READ_BYTES = 256 * 1024;

  static final int BURST_MILLIS = 10;

  private static final double NANOS = 1e9;
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(BURST_MILLIS);

  /** Sleeps. */
  @FunctionalInterface
  interface Sleep {
    void nanos(long nanos) throws InterruptedException;
  }

  private final VolumeLimits limits;
  private final LongSupplier clock;
  private final Sleep sleep;
  // The times at which the next read may begin; guarded by this.
  private double nextByCount;
  private double nextByBytes;

  /** Limits by the system's clock. */
  public ReadRateLimiter(VolumeLimits limits) {
    this(limits, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  ReadRateLimiter(VolumeLimits limits, LongSupplier clock, Sleep sleep) {
    this.limits = limits;
    this.clock = clock;
    this.sleep = sleep;
    nextByCount = clock.getAsLong();
    nextByBytes = nextByCount;
  }

  /** Waits until a read of that size may begin. */
  void pass(int bytes) throws InterruptedIOException {
    long wait = reserve(bytes);
    if (wait > 0) {
      try {
        sleep.nanos(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting to read " + bytes + " bytes");
      }
    }
  }

  private synchronized long reserve(int bytes) {
    long now = clock.getAsLong();
    double begins = Math.max(nextByCount, nextByBytes);
    if (limits.readsPerSecond() > 0) {
      int reads = Math.max(1, (bytes + READ_BYTES - 1) / READ_BYTES);
      nextByCount =
          Math.max(nextByCount, (double) (now - BURST_NANOS))
              + reads * NANOS / limits.readsPerSecond();
    }
    if (limits.bytesPerSecond() > 0) {
      nextByBytes =
          Math.max(nextByBytes, (double) (now - BURST_NANOS))
              + bytes * NANOS / limits.bytesPerSecond();
    }
    return (long) Math.ceil(begins) - now;
  }
}
