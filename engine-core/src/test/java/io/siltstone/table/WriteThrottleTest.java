package io.siltstone.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WriteThrottleTest {
  private static final long MIB = 1 << 20;

  @Test
  void isSlowerTheGreaterTheDebt() {
    assertThat(WriteThrottle.of(0, 100, 200)).isZero();
    assertThat(WriteThrottle.of(100, 100, 200)).isZero();
    assertThat(WriteThrottle.of(101, 100, 200)).isBetween(63 * MIB, 64 * MIB);
    assertThat(WriteThrottle.of(150, 100, 200)).isEqualTo(65 * MIB / 2);
    assertThat(WriteThrottle.of(200, 100, 200)).isEqualTo(MIB);
    assertThat(WriteThrottle.of(Long.MAX_VALUE, 100, 200)).isEqualTo(MIB);
  }

  @Test
  void aWriterWaitsForWhatWasWrittenBefore() {
    AtomicLong clock = new AtomicLong(-5);
    WriteThrottle pace = new WriteThrottle(clock::get, (of, nanos) -> clock.addAndGet(nanos));
    pace.wrote(1L << 40);
    pace.await();
    assertThat(pace.set(10 * MIB)).isZero();
    pace.await();
    pace.wrote(MIB);
    assertThat(clock).hasValue(-5);
    pace.await();
    assertThat(clock).hasValue(100_000_000 - 5);
    pace.wrote(MIB);
    clock.addAndGet(30_000_000);
    pace.wrote(MIB);
    pace.await();
    assertThat(clock).hasValue(300_000_000 - 5);
  }

  @Test
  void nobodyWaitsAnyMoreWhenItIsLifted() throws Exception {
    WriteThrottle pace = new WriteThrottle();
    pace.set(MIB);
    pace.wrote(1L << 40);
    Thread writer = new Thread(pace::await);
    writer.start();
    assertThat(pace.set(0)).isEqualTo(MIB);
    writer.join(30_000);
    assertThat(writer.isAlive()).isFalse();
  }

  @Test
  void nobodyWaitsAnyMoreWhenTheTableEndsThoughItsCompactionIsBehind() {
    AtomicLong pauses = new AtomicLong();
    AtomicReference<WriteThrottle> waiting = new AtomicReference<>();
    WriteThrottle pace =
        new WriteThrottle(
            () -> 0,
            (of, nanos) -> {
              assertThat(pauses.incrementAndGet()).isEqualTo(1);
              Objects.requireNonNull(waiting.get()).end();
            });
    waiting.set(pace);
    pace.set(MIB);
    pace.wrote(MIB);
    pace.await();
    pace.set(2 * MIB);
    pace.wrote(MIB);
    pace.await();
    assertThat(pauses).hasValue(1);
  }
}
