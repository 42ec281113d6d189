package io.siltstone.mutation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** See {@link WriteClock#following}. */
final class FollowingClock implements WriteClock {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private final InstantSource source;
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE + 1);

  FollowingClock(InstantSource source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public long nextTimestampMicros() {
    Instant instant = source.instant();
    long now = instant.getEpochSecond() * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
    return last.accumulateAndGet(now, (before, present) -> Math.max(present, before + 1));
  }

  @Override
  public void goBehind(long timestampMicros) {
    last.accumulateAndGet(timestampMicros, Math::max);
  }

  @Override
  public long nowSeconds() {
    return source.instant().getEpochSecond();
  }
}
