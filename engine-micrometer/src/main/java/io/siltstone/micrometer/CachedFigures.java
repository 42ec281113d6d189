package io.siltstone.micrometer;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Caches figures for a second, so that all meters of one scrape are consistent. Safe for use by all
 * threads.
 *
 * @param <T> the figures, immutable
 */
final class CachedFigures<T> {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Source<T> source;
  private @Nullable T last;
  private long takenAt;
  private boolean isOver;

  /** The source of the figures. */
  @FunctionalInterface
  interface Source<T> {
    /**
     * Reads the figures.
     *
     * @throws IllegalStateException if there will be no more figures
     */
    T take() throws IOException;
  }

  CachedFigures(Source<T> source) {
    this.source = source;
  }

  private synchronized @Nullable T take() {
    if (!isOver && (last == null || System.nanoTime() - takenAt > FRESH_NANOS)) {
      try {
        last = source.take();
        takenAt = System.nanoTime();
      } catch (IllegalStateException | IOException e) {
        // Closed or dropped: counters keep their values.
        isOver = true;
      }
    }
    return last;
  }

  /** Returns a figure that only grows. */
  double count(ToDoubleFunction<T> figure) {
    T present = take();
    return present == null ? 0 : figure.applyAsDouble(present);
  }

  /** Returns a figure that is NaN after its subject was closed or dropped. */
  double gauge(ToDoubleFunction<T> figure) {
    T present = take();
    return present == null || isOver() ? Double.NaN : figure.applyAsDouble(present);
  }

  private synchronized boolean isOver() {
    return isOver;
  }
}
