package io.siltstone.threads;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Worker} that takes its turns in a pool of threads, and has a timer signal the turns that
 * are due by time. Safe for use by all threads.
 */
public final class PooledWorker implements Worker {
  // How long to wait before a turn is requested again for which there was no thread.
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ExecutorService lane;
  private final ScheduledExecutorService timer;
  private final LongSupplier turn;
  private final AtomicBoolean isRequested = new AtomicBoolean();
  private volatile boolean isStarted;
  private volatile boolean isStopped;
  // Changed within turns, which do not overlap.
  private @Nullable Future<?> alarm;

  /**
   * @param lane runs one task at a time; shut down by {@link #stop}
   * @param timer is not taken over
   */
  public PooledWorker(ExecutorService lane, ScheduledExecutorService timer, LongSupplier turn) {
    this.lane = lane;
    this.timer = timer;
    this.turn = turn;
  }

  @Override
  public void start() {
    isStarted = true;
    signal();
  }

  @Override
  public void signal() {
    if (isStarted && !isStopped && isRequested.compareAndSet(false, true)) {
      try {
        lane.execute(this::run);
      } catch (RejectedExecutionException e) {
        isRequested.set(false);
        Future<?> unused = signalAfter(RETRY_NANOS);
      }
    }
  }

  private void run() {
    // Reset before the turn, so that later signals lead to another one.
    isRequested.set(false);
    if (isStopped) {
      return;
    }
    Future<?> before = alarm;
    if (before != null) {
      before.cancel(false);
      alarm = null;
    }
    long nanos = turn.getAsLong();
    if (nanos <= 0) {
      signal();
    } else if (nanos < Long.MAX_VALUE) {
      alarm = signalAfter(nanos);
    }
  }

  private @Nullable Future<?> signalAfter(long nanos) {
    if (isStopped) {
      return null;
    }
    try {
      return timer.schedule(this::signal, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The timer ends after all its users.
      return null;
    }
  }

  @Override
  public void stop() {
    isStopped = true;
    Pools.end(lane);
    Future<?> last = alarm;
    if (last != null) {
      last.cancel(false);
    }
    // A turn may have been requested just before the worker ended.
    long unused = turn.getAsLong();
  }
}
