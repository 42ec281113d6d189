package io.siltstone.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @Property
  void readsBackWhatItWrites(@ForAll long value) {
    byte[] bytes = new byte[Vint.MAX_LENGTH];
    int end = Vint.write(bytes, 0, value);
    assertThat(Vint.read(bytes, 0)).isEqualTo(value);
    assertThat(Vint.lengthFrom(bytes[0])).isEqualTo(end);
    assertThat(Vint.isWhole(bytes, 0, end)).isTrue();
    assertThat(Vint.isWhole(bytes, 0, end - 1)).isFalse();
    assertThat(Vint.writeSigned(bytes, 0, value)).isEqualTo(Vint.signedLength(value));
    assertThat(Vint.readSigned(bytes, 0)).isEqualTo(value);
  }

  /** Around the values at which another byte is needed. */
  @Property
  void readsBackAtTheEdges(
      @ForAll @IntRange(max = 63) int shift, @ForAll @LongRange(min = -2, max = 2) long near) {
    readsBackWhatItWrites((1L << shift) + near);
  }
}
