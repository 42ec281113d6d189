package io.siltstone.jmx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is taken anew only if the last one is older than a tenth of a second. Safe for all
 * threads.
 *
 * @param <T> what it is, immutable
 */
final class Recent<T> {
  private static final long FRESH_NANOS = 100_000_000;

  private final PlainFailures.Work<T> source;
  private final LongSupplier nanos;
  private @Nullable T last;
  private long takenAt;

  /**
   * @param source where the value comes from
   * @param nanos the time
   */
  Recent(PlainFailures.Work<T> source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
  }

  /**
   * The value.
   *
   * @throws UncheckedIOException if it could not be taken, of an exception of the JDK's that any
   *     client knows, see {@link PlainFailures}
   */
  synchronized T get() {
    T present = last;
    if (present == null || nanos.getAsLong() - takenAt > FRESH_NANOS) {
      try {
        present = PlainFailures.of(source);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      last = present;
      takenAt = nanos.getAsLong();
    }
    return present;
  }
}
