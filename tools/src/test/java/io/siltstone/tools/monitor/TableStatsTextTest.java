package io.siltstone.tools.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableStatsTextTest {
  @Test
  void levelsThatHaveMoreThanTheyShouldSaySo() {
    assertThat(TableStatsText.levels(new int[] {1, 19, 209, 7}, 10))
        .isEqualTo("[1, 19/10, 209/100, 7]");
    assertThat(TableStatsText.levels(new int[] {5, 4}, 4)).isEqualTo("[5/4, 4]");
    assertThat(TableStatsText.levels(new int[] {}, 10)).isEqualTo("[]");
  }

  @Test
  void sizesAreInTheUnitThatFits() {
    assertThat(Sizes.bytes(1023)).isEqualTo("1023 bytes");
    assertThat(Sizes.bytes(1024)).isEqualTo("1.00 KiB");
    assertThat(Sizes.bytes(5057)).isEqualTo("4.94 KiB");
    assertThat(Sizes.bytes(Long.MAX_VALUE)).isEqualTo("8.00 EiB");
    assertThat(Sizes.bytes(5057, false)).isEqualTo("5057");
    assertThat(Sizes.time(3_723_999)).isEqualTo("1h02m03s");
  }
}
