package io.siltstone.spark.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Token ranges of equal size. */
final class TokenRangesTest {
  private static final long SEED = Long.getLong("siltstone.seed", 20261130);

  @Test
  void rangesFollowEachOtherAndHaveAllTokens() {
    for (int count : new int[] {1, 2, 3, 7, 16, 1000, 1 << 20}) {
      TokenRanges ranges = new TokenRanges(count);
      assertThat(ranges.first(0)).isEqualTo(Long.MIN_VALUE);
      assertThat(ranges.last(count - 1)).isEqualTo(Long.MAX_VALUE);
      for (int range = 0; range < count; range += 1 + count / 100) {
        assertThat(ranges.of(ranges.first(range))).isEqualTo(range);
        assertThat(ranges.of(ranges.last(range))).isEqualTo(range);
        if (range > 0) {
          assertThat(ranges.of(ranges.first(range) - 1)).isEqualTo(range - 1);
        }
      }
    }
  }

  @Test
  void tokenIsWithinItsRange() {
    Random random = new Random(SEED);
    for (int i = 0; i < 10_000; i++) {
      TokenRanges ranges = new TokenRanges(1 + random.nextInt(300));
      long token = random.nextLong();
      int range = ranges.of(token);
      assertThat(token)
          .as("-Dsiltstone.seed=%s", SEED)
          .isBetween(ranges.first(range), ranges.last(range));
    }
  }
}
