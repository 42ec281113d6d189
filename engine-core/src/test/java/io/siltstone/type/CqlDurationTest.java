package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which CQL writes durations. */
class CqlDurationTest {

  @ParameterizedTest
  @CsvSource({
    "1y2mo3w4d5h6m7s8ms9us10ns, 1y2mo25d5h6m7s8ms9us10ns",
    "14mo, 1y2mo",
    "-1H30M, -1h30m",
    "90m, 1h30m",
    "5µs, 5us",
    "P1Y2M3DT4H5M6S, 1y2mo3d4h5m6s",
    "P2W, 14d",
    "-P0001-02-03T04:05:06, -1y2mo3d4h5m6s",
    "0d, 0s",
  })
  void readsAndWrites(String text, String canonical) {
    assertThat(CqlDuration.parse(text)).hasToString(canonical);
    assertThat(CqlDuration.parse(canonical)).isEqualTo(CqlDuration.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "1",
        "h",
        "1h1h",
        "1m1h",
        "1x",
        "1h ",
        " 1h",
        "P1D2",
        "1.5h",
        "--1h",
        "2147483648mo",
        "9223372036854775808ns",
        "99999999999999999999d"
      })
  void refuses(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CqlDuration.parse(text))
        .withMessageContaining("'" + text + "'");
  }

  @Test
  void extremesComeBack() {
    CqlDuration shortest = new CqlDuration(Integer.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE);
    assertThat(CqlDuration.parse(shortest.toString())).isEqualTo(shortest);
  }

  @Test
  void signsMustAgree() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CqlDuration(1, -1, 0))
        .withMessageContaining("one sign");
  }
}
