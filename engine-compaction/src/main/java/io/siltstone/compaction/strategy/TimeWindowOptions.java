package io.siltstone.compaction.strategy;

import io.siltstone.spi.LiveTable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The length of a time window. Names and defaults are those of Cassandra's {@code
 * TimeWindowCompactionStrategyOptions}. Cassandra accepts {@code
 * unsafe_aggressive_sstable_expiration} only with a system property; here it needs none.
 *
 * @param windowMillis the length of a window, which begins at a multiple of it
 * @param time the time that decides to which window an SSTable belongs
 * @param resolution the unit of the timestamps in the SSTables, and of event times that are numbers
 * @param expiry when fully expired SSTables are dropped
 * @param sizeTiered for merges within the current window
 */
record TimeWindowOptions(
    long windowMillis,
    WindowTime time,
    Resolution resolution,
    ExpiryOptions expiry,
    SizeTieredOptions sizeTiered) {
  private static final String WINDOW_TIME = "compaction_window_time";

  /** The values of {@code compaction_window_time}, which Cassandra does not have. */
  enum WindowTime {
    /** The timestamps of writes, as in Cassandra. */
    WRITE,
    /** The values of the first clustering column, if that is a time. */
    EVENT
  }

  /** The values of {@code compaction_window_unit}. */
  enum Unit {
    MINUTES(Duration.ofMinutes(1)),
    HOURS(Duration.ofHours(1)),
    DAYS(Duration.ofDays(1));

    private final Duration duration;

    Unit(Duration duration) {
      this.duration = duration;
    }
  }

  /** The values of {@code timestamp_resolution}. */
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

  /**
   * Reads the options.
   *
   * @param hasTimeColumn whether the table has the time column by whose values windows may be made
   */
  static TimeWindowOptions of(OptionValues values, boolean hasTimeColumn) {
    WindowTime time = values.choice(WINDOW_TIME, WindowTime.class, WindowTime.WRITE);
    if (time == WindowTime.EVENT && !hasTimeColumn) {
      values.wrong(
          WINDOW_TIME,
          "WRITE, as the table has no time column: EVENT needs a first clustering column of type"
              + " timestamp, date, timeuuid, bigint or int");
    }
    Unit unit = values.choice("compaction_window_unit", Unit.class, Unit.DAYS);
    int size = values.integer("compaction_window_size", 1, 1);
    return new TimeWindowOptions(
        unit.duration.toMillis() * size,
        time,
        values.choice("timestamp_resolution", Resolution.class, Resolution.MICROSECONDS),
        ExpiryOptions.of(values, 0),
        SizeTieredOptions.of(values));
  }

  /**
   * Returns the beginning of the window of an SSTable. One without an event time, since it has no
   * row or a range tombstone without end, belongs to the window in which it was written.
   */
  long windowOf(LiveTable table) {
    LiveTable.EventTime event = time == WindowTime.EVENT ? table.maxEventTime().orElse(null) : null;
    if (event == null) {
      return windowOf(table.maxTimestamp());
    }
    return event.isMillis() ? windowOfMillis(event.time()) : windowOf(event.time());
  }

  /**
   * Returns the beginning of the window of a timestamp, in milliseconds since 1970. Windows before
   * 1970 have the same length as later ones; in Cassandra the two next to 1970 are one.
   */
  long windowOf(long timestamp) {
    return windowOfMillis(resolution.unit.toMillis(timestamp));
  }

  /** Returns the beginning of the window of a time in milliseconds since 1970. */
  long windowOfMillis(long millis) {
    return millis - Math.floorMod(millis, windowMillis);
  }
}
