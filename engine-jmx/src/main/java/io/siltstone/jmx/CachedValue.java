package io.siltstone.jmx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches a value for a tenth of a second. Safe for use by all threads.
 *
 * @param <T> an immutable type
 */
final class CachedValue<T> {
  private static final long FRESH_NANOS = 100_000_000;

  private final SerializableFailures.Work<T> source;
  private final LongSupplier nanos;
  private @Nullable T last;
  private long takenAt;

  /**
   * @param source computes the value
   * @param nanos the clock
   */
  CachedValue(SerializableFailures.Work<T> source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
  }

  /**
   * Returns the value.
   *
   * @throws UncheckedIOException if it could not be computed, with a cause of the JDK that any
   *     client knows; see {@link SerializableFailures}
   */
  synchronized T get() {
    T present = last;
    if (present == null || nanos.getAsLong() - takenAt > FRESH_NANOS) {
      try {
        present = SerializableFailures.of(source);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      last = present;
      takenAt = nanos.getAsLong();
    }
    return present;
  }
}
