package io.siltstone.compaction.throttle;

import io.siltstone.files.ReadThrottle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the bytes per second that all jobs and threads together read ({@code
 * compaction_throughput}). The rate may be changed while they read; 0 is no limit.
 *
 * <p>Grants come one after the other, each as long after the last as the last one's bytes take at
 * the rate, so that no interval of 100 ms gets more than the rate by more than 5 %, and if enough
 * is asked for not less by more than that: what is granted at once is at most {@value
 * #GRANT_MICROS} µs of the rate, and what was not used is made up for by {@value #MADE_UP_MICROS}
 * µs at most. After a pause nothing is due. This holds for 1 MiB/s and more; below, a grant is
 * still {@value ReadThrottle#GRANULARITY_BYTES} bytes.
 *
 * <p>Safe for all threads, which are served in the order in which they come. Who waits can be
 * interrupted. A wait lasts at most one grant for each thread that came before, so that who wants
 * to cancel a job looks between two grants.
 */
@SuppressWarnings("exports")
public final class RateLimiter implements ReadThrottle {
  /** Least rate, in bytes per second, that is not 0: at it one grant takes 63 ms. */
  public static final long MIN_BYTES_PER_SECOND = 64 * 1024;

  /** What can be set, in words. */
  public static final String ALLOWED =
      "0 (no limit) or " + MIN_BYTES_PER_SECOND + " bytes a second and more";

  private static final int GRANT_MICROS = 4_000;
  private static final int MADE_UP_MICROS = 1_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final WaitingClock waitingClock;
  // Held by the thread whose turn it is, also while it waits: the others queue up behind it.
  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile long bytesPerSecond;
  // When the next grant is due, by the clock; guarded by the turn.
  private long nextNanos;

  /**
   * @param waitingClock its clock
   */
  RateLimiter(WaitingClock waitingClock, long bytesPerSecond) {
    this.waitingClock = waitingClock;
    this.nextNanos = waitingClock.nanoTime();
    setBytesPerSecond(bytesPerSecond);
  }

  /** Of a rate in bytes per second; see {@link #setBytesPerSecond}. */
  public static RateLimiter ofBytesPerSecond(long bytesPerSecond) {
    return new RateLimiter(WaitingClock.SYSTEM, bytesPerSecond);
  }

  /** Whether a rate can be set. */
  public static boolean isAllowed(long bytesPerSecond) {
    return bytesPerSecond == 0 || bytesPerSecond >= MIN_BYTES_PER_SECOND;
  }

  /** The rate, 0 for none. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /**
   * Changes the rate, from the next grant on.
   *
   * @param value 0 for no limit, or {@link #MIN_BYTES_PER_SECOND} and more
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
      throw new IllegalArgumentException(bytes + " bytes, allowed 1 and more");
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
          new InterruptedIOException("interrupted while it waited to read");
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
    // Read once: it may change.
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

  /** What is granted of some bytes: equal parts of them, none of which takes too long. */
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

  /** {@code none} or the rate. */
  @Override
  public String toString() {
    long rate = bytesPerSecond;
    return rate == 0 ? "no limit" : rate + " bytes per second";
  }
}
