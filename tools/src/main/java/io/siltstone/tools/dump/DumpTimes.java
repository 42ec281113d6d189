package io.siltstone.tools.dump;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * How a dump shows times, and which it takes for past. Immutable.
 *
 * @param raw whether times are shown as the numbers they are rather than as ISO 8601 in UTC
 * @param nowSeconds the present, in seconds since 1970
 */
record DumpTimes(boolean raw, long nowSeconds) {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A timestamp, given in microseconds. */
  String micros(long micros) {
    return text(TimeUnit.MICROSECONDS, micros);
  }

  /** A local deletion time, given in seconds. */
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
    // Before 1970, and where nanoseconds overflow, this is off; as it is in sstabledump.
    long nanos = Math.floorMod(unit.toNanos(time), NANOS_PER_SECOND);
    return Instant.ofEpochSecond(seconds, nanos).toString();
  }
}
