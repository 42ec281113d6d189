package io.siltstone.mutation;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** See {@link WriteClock#following}. */
final class FollowingClock implements WriteClock {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  // By how much a clock may have been ahead of the present one.
  private static final long MAX_SKEW_MICROS = TimeUnit.DAYS.toMicros(1);

  private final InstantSource source;
  private final AtomicLong last = new AtomicLong(Long.MIN_VALUE + 1);

  FollowingClock(InstantSource source) {
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public long nextTimestampMicros() {
    long now = nowMicros();
    return last.accumulateAndGet(now, (before, present) -> Math.max(present, before + 1));
  }

  @Override
  public void goBehind(long timestampMicros) {
    if (timestampMicros <= nowMicros() + MAX_SKEW_MICROS) {
      last.accumulateAndGet(timestampMicros, Math::max);
    }
  }

  @Override
  public Instant reached() {
    return Instant.EPOCH.plus(Math.max(nowMicros(), last.get()), ChronoUnit.MICROS);
  }

  private long nowMicros() {
    Instant instant = source.instant();
    return instant.getEpochSecond() * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
  }

  @Override
  public long nowSeconds() {
    return source.instant().getEpochSecond();
  }
}
