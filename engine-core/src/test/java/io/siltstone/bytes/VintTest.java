package io.siltstone.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VintTest {
  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "1, 01",
    "127, 7f",
    "128, 8080",
    "16383, bfff",
    "16384, c04000",
    "2097151, dfffff",
    "2097152, e0200000",
    "268435455, efffffff",
    "34359738367, f7ffffffff",
    "4398046511103, fbffffffffff",
    "562949953421311, fdffffffffffff",
    "72057594037927935, feffffffffffffff",
    "72057594037927936, ff0100000000000000",
    "-1, ffffffffffffffffff",
    "-9223372036854775808, ff8000000000000000",
  })
  void hasCassandrasForm(long value, String hex) {
    byte[] expected = HexFormat.of().parseHex(hex);
    byte[] bytes = new byte[11];
    assertThat(Vint.write(bytes, 1, value)).isEqualTo(1 + expected.length);
    assertThat(bytes).startsWith((byte) 0).containsSequence(expected);
    assertThat(Vint.length(value)).isEqualTo(expected.length);
    assertThat(Vint.lengthFrom(expected[0])).isEqualTo(expected.length);
    assertThat(Vint.read(bytes, 1)).isEqualTo(value);
  }

  @Test
  void readsBackRandomValuesOfAnyLength() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      requireReadsBack(random.nextLong() >>> random.nextInt(64), "seed " + seed);
    }
  }

  /** Covers the values at which the encoding takes one more byte, and their neighbors. */
  @ParameterizedTest
  @ValueSource(longs = {-2, -1, 0, 1, 2})
  void readsBackAtTheEdges(long near) {
    LongStream.range(0, Long.SIZE)
        .forEach(shift -> requireReadsBack((1L << shift) + near, "shift " + shift));
  }

  private static void requireReadsBack(long value, String origin) {
    String what = value + ", " + origin;
    byte[] bytes = new byte[Vint.MAX_LENGTH];
    int end = Vint.write(bytes, 0, value);
    assertThat(Vint.read(bytes, 0)).as(what).isEqualTo(value);
    assertThat(Vint.lengthFrom(bytes[0])).as(what).isEqualTo(end);
    assertThat(Vint.isWhole(bytes, 0, end)).as(what).isTrue();
    assertThat(Vint.isWhole(bytes, 0, end - 1)).as(what).isFalse();
    assertThat(Vint.writeSigned(bytes, 0, value)).as(what).isEqualTo(Vint.signedLength(value));
    assertThat(Vint.readSigned(bytes, 0)).as(what).isEqualTo(value);
  }
}
