package io.siltstone.micrometer;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Figures that are taken anew when they are asked for, unless those before are less than a second
 * old: all meters of one scrape come from one. Safe for all threads.
 *
 * @param <T> the figures, immutable
 */
final class Latest<T> {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Source<T> source;
  private @Nullable T last;
  private long takenAt;
  private boolean isOver;

  /** Where they come from. */
  @FunctionalInterface
  interface Source<T> {
    /**
     * Takes them.
     *
     * @throws IllegalStateException if there will be none any more
     */
    T take() throws IOException;
  }

  Latest(Source<T> source) {
    this.source = source;
  }

  private synchronized @Nullable T take() {
    if (!isOver && (last == null || System.nanoTime() - takenAt > FRESH_NANOS)) {
      try {
        last = source.take();
        takenAt = System.nanoTime();
      } catch (IllegalStateException | IOException e) {
        // Closed or dropped: the counters stay where they were.
        isOver = true;
      }
    }
    return last;
  }

  /** A figure that only grows. */
  double count(ToDoubleFunction<T> figure) {
    T present = take();
    return present == null ? 0 : figure.applyAsDouble(present);
  }

  /** A figure that is nothing any more when its subject has gone. */
  double gauge(ToDoubleFunction<T> figure) {
    T present = take();
    return present == null || isOver() ? Double.NaN : figure.applyAsDouble(present);
  }

  private synchronized boolean isOver() {
    return isOver;
  }
}
