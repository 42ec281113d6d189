package io.siltstone.mutation;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Where writes take their times from: timestamps, which decide what is newer, and seconds, from
 * which TTLs count. One per database. Safe for all threads.
 */
public interface WriteClock {

  /**
   * The next automatic timestamp, in microseconds since 1970: greater than every one returned
   * before, so that of two writes on this clock the later one wins.
   */
  long nextTimestampMicros();

  /**
   * Lets all further automatic timestamps be greater than that one, which a clock has given that
   * was ahead: this one before it was turned back, or that of another database. One that lies more
   * than a day ahead of the present was given by a user and means something else: it is left alone.
   */
  void goBehind(long timestampMicros);

  /** The present, or the last of the automatic timestamps if that is later. */
  Instant reached();

  /** The present time in seconds since 1970. */
  long nowSeconds();

  /**
   * A clock that follows a source, and runs ahead of it where the source stands still or steps back
   * or more than one timestamp a microsecond is asked for.
   */
  static WriteClock following(InstantSource source) {
    return new FollowingClock(source);
  }
}
