package io.siltstone.compaction.throttle;

import io.siltstone.files.ReadThrottle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The compaction throttle: limits the bytes per second that all jobs and threads together read
 * ({@code compaction_throughput}). The rate may be changed at any time; 0 is no limit.
 *
 * <p>Grants are given one after another, each as long after the last as the last one's bytes take
 * at the rate. So in no interval of 100 ms is more granted than the rate plus 5 %, and, with enough
 * demand, not less than the rate minus 5 %. One grant is at most {@value #GRANT_MICROS} µs of the
 * rate, and at most {@value #MADE_UP_MICROS} µs of unused time are made up for; after a pause
 * nothing accumulates. This holds from 1 MiB/s on; below that, a grant is still {@value
 * ReadThrottle#GRANULARITY_BYTES} bytes.
 *
 * <p>Safe for all threads, which are served in the order of their calls. A waiting thread can be
 * interrupted. It waits at most for one grant per thread before it, so a cancelled job ends after
 * one grant.
 */
public final class RateLimiter implements ReadThrottle {
  /** The least rate other than 0, in bytes per second: at this rate one grant takes 63 ms. */
  public static final long MIN_BYTES_PER_SECOND = 64 * 1024;

  /** The allowed rates, for messages. */
  public static final String ALLOWED =
      "0 (no limit) or " + MIN_BYTES_PER_SECOND + " bytes a second and more";

  private static final int GRANT_MICROS = 4_000;
  private static final int MADE_UP_MICROS = 1_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final WaitingClock waitingClock;
  // Held by the thread that is next, also while it waits; the others queue for it.
  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile long bytesPerSecond;
  // When the next grant is due, by the clock; guarded by the turn.
  private long nextNanos;

  /**
   * @param waitingClock the clock by which it waits
   */
  RateLimiter(WaitingClock waitingClock, long bytesPerSecond) {
    this.waitingClock = waitingClock;
    this.nextNanos = waitingClock.nanoTime();
    setBytesPerSecond(bytesPerSecond);
  }

  /** Returns a limiter with a rate in bytes per second; see {@link #setBytesPerSecond}. */
  public static RateLimiter ofBytesPerSecond(long bytesPerSecond) {
    return new RateLimiter(WaitingClock.SYSTEM, bytesPerSecond);
  }

  /** Returns whether a rate is allowed. */
  public static boolean isAllowed(long bytesPerSecond) {
    return bytesPerSecond == 0 || bytesPerSecond >= MIN_BYTES_PER_SECOND;
  }

  /** Returns the rate; 0 for no limit. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Changes the rate, from the next grant on.
   *
   * @param value 0 for no limit, or at least {@link #MIN_BYTES_PER_SECOND}
   * @throws IllegalArgumentException if the value is out of this range
   */
  public void setBytesPerSecond(long value) {
    if (!isAllowed(value)) {
      throw new IllegalArgumentException("compaction_throughput " + value + ", allowed " + ALLOWED);
    }
    bytesPerSecond = value;
  }

  @Override
  public int acquire(int bytes) throws IOException {
    if (bytes < 1) {
      throw new IllegalArgumentException(bytes + " bytes, allowed 1 or more");
    }
    if (bytesPerSecond == 0) {
      return bytes;
    }
    try {
      turn.lockInterruptibly();
      try {
        return next(bytes);
      } finally {
        turn.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for the compaction throttle");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private int next(int bytes) throws InterruptedException {
    long now = waitingClock.nanoTime();
    while (nextNanos - now > 0) {
      waitingClock.sleep(nextNanos - now);
      now = waitingClock.nanoTime();
    }
    // Read once, as it may change.
    long rate = bytesPerSecond;
    if (rate == 0) {
      nextNanos = now;
      return bytes;
    }
    int granted = part(bytes, rate);
    long due = Math.max(nextNanos, now - 1_000L * MADE_UP_MICROS);
    nextNanos = due + (long) Math.ceil(granted * (double) NANOS_PER_SECOND / rate);
    return granted;
  }

  /**
   * Returns the size of a grant: the bytes are divided into equal grants, none of which takes too
   * long.
   */
  private static int part(int bytes, long rate) {
    long most = Math.max(GRANULARITY_BYTES, (long) (rate * (GRANT_MICROS * 1e-6)));
    if (bytes <= most) {
      return bytes;
    }
    most -= most % GRANULARITY_BYTES;
    long parts = (bytes + most - 1) / most;
    long part = (bytes + parts - 1) / parts;
    return (int) ((part + GRANULARITY_BYTES - 1) / GRANULARITY_BYTES * GRANULARITY_BYTES);
  }

  /** Returns {@code no limit} or the rate. */
  @Override
  public String toString() {
    long rate = bytesPerSecond;
    return rate == 0 ? "no limit" : rate + " bytes per second";
  }
}
