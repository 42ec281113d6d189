package io.siltstone.tools.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnitsTest {

  @Test
  void sizesAreRead() {
    assertThat(Units.parseBytes("x", "10TB")).isEqualTo(10_000_000_000_000L);
    assertThat(Units.parseBytes("x", "1.5 gib")).isEqualTo(3L << 29);
    assertThat(Units.parseBytes("x", "1024")).isEqualTo(1024);
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> Units.parseBytes("--x", "10 apples"))
        .withMessageContaining("--x = 10 apples, allowed");
  }

  @Test
  void timesAreRead() {
    assertThat(Units.parseSeconds("x", "7d")).isEqualTo(604_800);
    assertThat(Units.parseSeconds("x", "1.5h")).isEqualTo(5400);
    assertThat(Units.parseTime("x", "1h30m")).isEqualTo(Duration.ofMinutes(90));
    assertThat(Units.parseTime("x", "1m500ms")).isEqualTo(Duration.ofMillis(60_500));
    assertThat(Units.parseTime("x", "90")).isEqualTo(Duration.ofSeconds(90));
    for (String wrong : new String[] {"", "h", "1h30", "1x", "-1s", "1 h"}) {
      assertThatExceptionOfType(UsageException.class)
          .isThrownBy(() -> Units.parseTime("--x", wrong))
          .withMessageContaining("--x = " + wrong + ", allowed");
    }
  }

  @Test
  void countsAreRead() {
    assertThat(Units.parseCount("x", "50M")).isEqualTo(50_000_000);
    assertThat(Units.parseCount("x", "100k")).isEqualTo(100_000);
    assertThat(Units.parseCount("x", "1.5k")).isEqualTo(1500);
    assertThat(Units.parseCount("x", "1.001k")).isEqualTo(1001);
    assertThat(Units.parseCount("x", "9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(Units.parseCount("x", "7")).isEqualTo(7);
    for (String wrong : new String[] {"", "M", "-1", "1KB", "1.5", "0.0001k", "99999999999T"}) {
      assertThatExceptionOfType(UsageException.class)
          .isThrownBy(() -> Units.parseCount("--x", wrong))
          .withMessageContaining("--x = " + wrong + ", allowed");
    }
  }

  @Test
  void figuresAreShown() {
    assertThat(Units.bytes(1023)).isEqualTo("1.0 KiB");
    assertThat(Units.count(9_999)).isEqualTo("9999");
    assertThat(Units.count(62_130)).isEqualTo("62.1k");
    assertThat(Units.count(999_600)).isEqualTo("1.0M");
    assertThat(Units.count(123_456_789)).isEqualTo("123M");
    assertThat(Units.time(90_000)).isEqualTo("1d 1h");
    assertThat(Units.ratio(Double.POSITIVE_INFINITY)).isEqualTo("-");
  }
}
