package io.siltstone.clock;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The write clock of a database: gives writes their automatic timestamps in microseconds, by which
 * the newest write wins, and the seconds from which TTLs count. Each automatic timestamp is greater
 * than all before it, also if the system clock stands still or steps back. There is one per
 * database. Safe for use by all threads.
 */
public interface WriteClock {

  /**
   * Returns the next automatic timestamp, in microseconds since 1970: 0 or more, and greater than
   * every one returned before, so that of two writes on this clock the later one wins.
   */
  long nextTimestampMicros();

  /**
   * Ensures that all further automatic timestamps are greater than a given one, which may stem from
   * an earlier process. It must have come from the clock of this database: a timestamp of a user or
   * another database could put the clock ahead of the present permanently.
   */
  void continueAfter(long timestampMicros);

  /**
   * Returns the last automatic timestamp, also of an earlier process; {@link
   * io.siltstone.cursor.DeletionTime#NO_TIMESTAMP} if none is known.
   */
  long lastTimestampMicros();

  /**
   * Returns the present time in microseconds since 1970, or the last automatic timestamp if that is
   * later.
   */
  long reachedMicros();

  /** Returns {@link #reachedMicros()} as an instant. */
  default Instant reached() {
    return Instant.EPOCH.plus(reachedMicros(), ChronoUnit.MICROS);
  }

  /** Returns the present time in seconds since 1970. */
  long nowSeconds();

  /**
   * Returns a clock that follows a source. It runs ahead of the source if that stands still or
   * steps back, or if more than one timestamp per microsecond is requested.
   */
  static WriteClock following(InstantSource source) {
    return new FollowingClock(source);
  }
}
