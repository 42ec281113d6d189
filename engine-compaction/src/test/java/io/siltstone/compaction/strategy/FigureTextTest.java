package io.siltstone.compaction.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FigureTextTest {
  @Test
  void sizesAreWrittenWithAsManyDigitsAsSaySomething() {
    assertThat(FigureText.bytes(0)).isEqualTo("0 bytes");
    assertThat(FigureText.bytes(999)).isEqualTo("999 bytes");
    assertThat(FigureText.bytes(1000)).isEqualTo("1.0 KiB");
    assertThat(FigureText.bytes(1024)).isEqualTo("1 KiB");
    assertThat(FigureText.bytes(1280)).isEqualTo("1.3 KiB");
    assertThat(FigureText.bytes(10_188)).isEqualTo("9.9 KiB");
    assertThat(FigureText.bytes(10_189)).isEqualTo("10 KiB");
    assertThat(FigureText.bytes(1_023_487)).isEqualTo("999 KiB");
    assertThat(FigureText.bytes(1_023_488)).isEqualTo("1.0 MiB");
    assertThat(FigureText.bytes(Long.MAX_VALUE)).isEqualTo("8 EiB");
  }

  @Test
  void sizesAreRoundedAsAFormatRounds() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      long bytes = random.nextLong(1L << random.nextInt(1, 62));
      double value = bytes;
      while (value >= 999.5) {
        value /= 1024;
      }
      boolean isWhole = value >= 9.95 || value == Math.rint(value);
      assertThat(FigureText.bytes(bytes))
          .startsWith(String.format(Locale.ROOT, isWhole ? "%.0f " : "%.1f ", value));
    }
  }
}
