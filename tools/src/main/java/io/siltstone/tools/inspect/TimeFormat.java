package io.siltstone.tools.inspect;

import io.siltstone.tools.terminal.UsageException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Formats and parses timestamps and times. */
final class TimeFormat {
  private static final long MICROS_PER_SECOND = 1_000_000;
  // Timestamps outside this range are not microseconds since 1970, and are shown as numbers.
  private static final long EARLIEST = Instant.parse("1990-01-01T00:00:00Z").getEpochSecond();
  private static final long LATEST = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond();

  private TimeFormat() {}

  /** Formats the timestamp of a write. */
  static String ofMicros(long micros) {
    long seconds = Math.floorDiv(micros, MICROS_PER_SECOND);
    if (seconds < EARLIEST || seconds > LATEST) {
      return Long.toString(micros);
    }
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }

  static String ofSeconds(long seconds) {
    try {
      return Instant.ofEpochSecond(seconds).toString();
    } catch (DateTimeException e) {
      return Long.toString(seconds);
    }
  }

  /** Parses seconds since 1970, given as a number or as an ISO 8601 time. */
  static long parseSeconds(String option, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      try {
        return Instant.parse(text).getEpochSecond();
      } catch (DateTimeException notTime) {
        throw new UsageException(
            option
                + " = "
                + text
                + ", allowed seconds since 1970 or a time such as 2026-01-31T12:00:00Z",
            notTime);
      }
    }
  }
}
