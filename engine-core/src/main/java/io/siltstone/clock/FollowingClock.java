package io.siltstone.clock;

import io.siltstone.cursor.DeletionTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The write clock that follows a source, see {@link WriteClock#following}. */
final class FollowingClock implements WriteClock {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  // Far enough from the maximum that counting on does not reach it: 285 years of microseconds, of
  // which stores of byte arrays use one half.
  private static final long LATEST_MICROS = Long.MAX_VALUE - (1L << 53);

  private final InstantSource source;
  private final AtomicLong last = new AtomicLong(DeletionTime.NO_TIMESTAMP);

  FollowingClock(InstantSource source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public long nextTimestampMicros() {
    long now = nowMicros();
    return last.accumulateAndGet(now, (before, present) -> Math.max(present, before + 1));
  }

  @Override
  public void continueAfter(long timestampMicros) {
    last.accumulateAndGet(Math.min(timestampMicros, LATEST_MICROS), Math::max);
  }

  @Override
  public long lastTimestampMicros() {
    return last.get();
  }

  @Override
  public long reachedMicros() {
    return Math.max(nowMicros(), last.get());
  }

  /** Returns the present, within what timestamps can be: a deletion has none before 1970. */
  private long nowMicros() {
    Instant instant = source.instant();
    long seconds = instant.getEpochSecond();
    if (seconds < 0) {
      return 0;
    }
    return seconds >= LATEST_MICROS / MICROS_PER_SECOND
        ? LATEST_MICROS
        : seconds * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
  }

  @Override
  public long nowSeconds() {
    return source.instant().getEpochSecond();
  }
}
