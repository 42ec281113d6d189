package io.siltstone.compaction.strategy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a window is. Names and defaults are those of Cassandra's {@code
 * TimeWindowCompactionStrategyOptions}; {@code unsafe_aggressive_sstable_expiration} needs no other
 * leave here.
 *
 * @param windowMillis length of a window, which begins at a multiple of it
 * @param resolution of the timestamps in the tables
 * @param expiry of whole tables
 * @param sizeTiered for the current window
 */
record TimeWindowOptions(
    long windowMillis, Resolution resolution, ExpiryOptions expiry, SizeTieredOptions sizeTiered) {

  /** Values of {@code compaction_window_unit}. */
  enum Unit {
    MINUTES(Duration.ofMinutes(1)),
    HOURS(Duration.ofHours(1)),
    DAYS(Duration.ofDays(1));

    private final Duration duration;

    Unit(Duration duration) {
      this.duration = duration;
    }
  }

  /** Values of {@code timestamp_resolution}. */
  enum Resolution {
    SECONDS(TimeUnit.SECONDS),
    MILLISECONDS(TimeUnit.MILLISECONDS),
    MICROSECONDS(TimeUnit.MICROSECONDS),
    NANOSECONDS(TimeUnit.NANOSECONDS);

    private final TimeUnit unit;

    Resolution(TimeUnit unit) {
      this.unit = unit;
    }
  }

  static TimeWindowOptions of(OptionValues values) {
    Unit unit = values.choice("compaction_window_unit", Unit.class, Unit.DAYS);
    int size = values.integer("compaction_window_size", 1, 1);
    return new TimeWindowOptions(
        unit.duration.toMillis() * size,
        values.choice("timestamp_resolution", Resolution.class, Resolution.MICROSECONDS),
        ExpiryOptions.of(values, 0),
        SizeTieredOptions.of(values));
  }

  /**
   * Where the window begins that a timestamp lies in, in milliseconds since 1970. Before 1970
   * windows are as long as after it; Cassandra's two around that moment are one.
   */
  long windowOf(long timestamp) {
    return windowOfMillis(resolution.unit.toMillis(timestamp));
  }

  /** Likewise of a time in milliseconds. */
  long windowOfMillis(long millis) {
    return millis - Math.floorMod(millis, windowMillis);
  }
}
