package io.siltstone.tools.dump;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The format of times in a dump, and the time that counts as the present. Immutable.
 *
 * @param raw whether times are printed as raw numbers rather than as ISO 8601 in UTC
 * @param nowSeconds the present, in seconds since 1970
 */
record DumpTimes(boolean raw, long nowSeconds) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Formats a timestamp, given in microseconds. */
  String micros(long micros) {
    return text(TimeUnit.MICROSECONDS, micros);
  }

  /** Formats a local deletion time, given in seconds. */
  String seconds(long seconds) {
    return text(TimeUnit.SECONDS, seconds);
  }

  private String text(TimeUnit unit, long time) {
    long seconds = unit.toSeconds(time);
    if (raw
        || seconds < Instant.MIN.getEpochSecond()
        || seconds > Instant.MAX.getEpochSecond() - 1) {
      return Long.toString(time);
    }
    // Wrong before 1970, and where nanoseconds overflow, like sstabledump.
    long nanos = Math.floorMod(unit.toNanos(time), NANOS_PER_SECOND);
    return Instant.ofEpochSecond(seconds, nanos).toString();
  }
}
