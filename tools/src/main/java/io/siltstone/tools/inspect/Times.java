package io.siltstone.tools.inspect;

import io.siltstone.tools.terminal.UsageException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Timestamps and times as text. */
final class Times {
  private static final long MICROS_PER_SECOND = 1_000_000;
  // Timestamps that are no microseconds since 1970 are shown as the numbers they are.
  private static final long EARLIEST = Instant.parse("1990-01-01T00:00:00Z").getEpochSecond();
  private static final long LATEST = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond();

  private Times() {}

  /** A write's timestamp. */
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

  /** Seconds since 1970 of a number of them, or of an ISO 8601 time. */
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
