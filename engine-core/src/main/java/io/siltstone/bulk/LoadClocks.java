package io.siltstone.bulk;

import io.siltstone.clock.WriteClock;
import java.util.function.LongUnaryOperator;

/** The write clocks of loads that give other timestamps than the present time. */
public final class LoadClocks {
  private LoadClocks() {}

  /**
   * Returns a clock whose timestamps are greater than a given one, and follow another clock once
   * that is ahead.
   */
  public static WriteClock after(long micros, WriteClock clock) {
    return new Derived(
        clock, micros, last -> Math.max(clock.nextTimestampMicros(), Math.addExact(last, 1)));
  }

  /** Returns a clock that counts on from a timestamp, by one for each. */
  public static WriteClock from(long micros, WriteClock clock) {
    return new Derived(clock, micros - 1, last -> Math.addExact(last, 1));
  }

  /** A clock that derives each timestamp from the one before. */
  private static final class Derived implements WriteClock {
    private final WriteClock clock;
    private final LongUnaryOperator next;
    private long last;

    Derived(WriteClock clock, long last, LongUnaryOperator next) {
      this.clock = clock;
      this.last = last;
      this.next = next;
    }

    @Override
    public synchronized long nextTimestampMicros() {
      last = next.applyAsLong(last);
      return last;
    }

    @Override
    public synchronized void continueAfter(long timestampMicros) {
      last = Math.max(last, timestampMicros);
    }

    @Override
    public synchronized long lastTimestampMicros() {
      return last;
    }

    @Override
    public synchronized long reachedMicros() {
      return last;
    }

    @Override
    public long nowSeconds() {
      return clock.nowSeconds();
    }
  }
}
