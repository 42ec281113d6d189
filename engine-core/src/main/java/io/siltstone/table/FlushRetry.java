package io.siltstone.table;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The retry of a table's flush that has failed for a reason that may pass: after a second, and
 * after twice as long for each further failure, up to half a minute. An explicit request for a
 * flush does not wait for that.
 *
 * <p>Changed by the thread that flushes the table; read by all threads.
 */
final class FlushRetry {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_DOUBLINGS = 5;

  private record Failure(IOException cause, int count, long dueNanos) {}

  private volatile @Nullable Failure last;

  void failed(IOException cause, long nowNanos) {
    Failure before = last;
    int count = before == null ? 1 : before.count + 1;
    long pause = FIRST_PAUSE_NANOS << Math.min(count - 1, MOST_DOUBLINGS);
    last = new Failure(cause, count, nowNanos + pause);
  }

  void succeeded() {
    last = null;
  }

  /** Returns why the last flush failed; null if it did not. */
  @Nullable IOException cause() {
    Failure failure = last;
    return failure == null ? null : failure.cause;
  }

  /** Returns whether a flush has failed and should be retried now. */
  boolean isDue(long nowNanos) {
    Failure failure = last;
    return failure != null && nowNanos - failure.dueNanos >= 0;
  }
}
