package io.siltstone.model;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved on. Safe for all threads. */
public final class SteppedClock implements InstantSource {
  private volatile Instant now;

  SteppedClock(Instant start) {
    now = start;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** In seconds since 1970. */
  public long seconds() {
    return now.getEpochSecond();
  }
}
