package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.siltstone.statistics.Distribution;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {
  private static final int VALUES = 10_000;

  private static double exact(long[] sorted, double percent) {
    return sorted[(int) Math.ceil(sorted.length * percent / 100) - 1];
  }

  private static void assertNear(double found, double exact) {
    assertThat(found).isCloseTo(exact, within(exact / 100));
  }

  /** Values of all magnitudes: as many of one power of two as of another. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachPercentileIsRightToOneInAHundred(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Histogram halves = new Histogram();
    Histogram others = new Histogram();
    long[] values = new long[VALUES];
    for (int i = 0; i < VALUES; i++) {
      values[i] = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
      (i % 2 == 0 ? halves : others).record(values[i]);
    }
    halves.add(others);
    Arrays.sort(values);

    Distribution found = halves.distribution();

    assertThat(found.count()).isEqualTo(VALUES);
    assertThat(found.min()).isEqualTo((double) values[0]);
    assertThat(found.max()).isEqualTo((double) values[VALUES - 1]);
    assertNear(found.mean(), Arrays.stream(values).mapToDouble(each -> each).average().orElse(0));
    assertNear(found.median(), exact(values, 50));
    assertNear(found.percentiles().p75(), exact(values, 75));
    assertNear(found.percentiles().p95(), exact(values, 95));
    assertNear(found.percentiles().p98(), exact(values, 98));
    assertNear(found.percentiles().p99(), exact(values, 99));
    assertNear(found.percentiles().p999(), exact(values, 99.9));
  }

  @Test
  void smallValuesAreExact() {
    Histogram values = new Histogram();
    for (int i = 0; i <= 100; i++) {
      values.record(i);
    }
    assertThat(values.distribution())
        .isEqualTo(
            new Distribution(
                101, 50, 0, 50, new Distribution.Percentiles(75, 95, 98, 99, 100), 100));
  }

  @Test
  void noPercentileExceedsTheGreatestValue() {
    Histogram values = new Histogram();
    values.record(Long.MAX_VALUE);
    assertThat(values.distribution().median()).isEqualTo(Long.MAX_VALUE);
    Histogram nanos = new Histogram();
    nanos.record(123_456);
    assertThat(nanos.micros().percentiles().p99()).isEqualTo(123.456);
  }

  @Test
  void withoutValuesAllIsZero() {
    assertThat(new Histogram().distribution())
        .isEqualTo(new Distribution(0, 0, 0, 0, new Distribution.Percentiles(0, 0, 0, 0, 0), 0));
  }

  @Test
  void negativeValuesAreRefused() {
    assertThatThrownBy(() -> new Histogram().record(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }
}
