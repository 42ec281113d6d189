package io.siltstone.clock;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Gives writes their times: automatic timestamps, which decide what is newer, and seconds, from
 * which TTLs count. One per database. Safe for all threads.
 */
public interface WriteClock {

  /**
   * Returns the next automatic timestamp, in microseconds since 1970: 0 or more, and greater than
   * every one returned before, so that of two writes on this clock the later one wins.
   */
  long nextTimestampMicros();

  /**
   * Lets all further automatic timestamps be greater than one that was given before, perhaps by an
   * earlier process. It must have come from the clock of this database: a timestamp that a user or
   * another database gave would keep the clock ahead of the present for good.
   */
  void continueAfter(long timestampMicros);

  /**
   * Returns the last automatic timestamp that was given, here or before the opening; {@link
   * io.siltstone.cursor.DeletionTime#NO_TIMESTAMP} if none is known.
   */
  long lastTimestampMicros();

  /**
   * Returns the present in microseconds since 1970, or the last of the automatic timestamps if that
   * is later.
   */
  long reachedMicros();

  /** Returns {@link #reachedMicros()} as an instant. */
  default Instant reached() {
    return Instant.EPOCH.plus(reachedMicros(), ChronoUnit.MICROS);
  }

  /** Returns the present time in seconds since 1970. */
  long nowSeconds();

  /**
   * Returns a clock that follows a source. It runs ahead of the source where that stands still or
   * steps back, or where more than one timestamp a microsecond is asked for.
   */
  static WriteClock following(InstantSource source) {
    return new FollowingClock(source);
  }
}
