package io.siltstone.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A backup takes as long as its bytes take at the rate. */
class PaceTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private long slept;

  private Pace of(long bytesPerSecond) {
    return Pace.of(
        bytesPerSecond,
        now::get,
        nanos -> {
          assertThat(nanos).isPositive();
          slept += nanos;
          now.addAndGet(nanos);
        });
  }

  @Test
  void waitsAsLongAsTheBytesTake() {
    Pace pace = of(1 << 20);
    for (int i = 0; i < 12; i++) {
      pace.passed(256 << 10);
    }
    assertThat(slept).isEqualTo(TimeUnit.SECONDS.toNanos(3));
  }

  @Test
  void timeThatWasNotUsedIsNotMadeUpFor() {
    Pace pace = of(1000);
    now.addAndGet(TimeUnit.SECONDS.toNanos(60));
    pace.passed(2000);
    assertThat(slept).isEqualTo(TimeUnit.SECONDS.toNanos(2));
    now.addAndGet(TimeUnit.SECONDS.toNanos(60));
    pace.passed(1000);
    assertThat(slept).isEqualTo(TimeUnit.SECONDS.toNanos(3));
  }

  @Test
  void zeroIsNoLimit() {
    of(0).passed(Long.MAX_VALUE);
    assertThat(slept).isZero();
  }
}
