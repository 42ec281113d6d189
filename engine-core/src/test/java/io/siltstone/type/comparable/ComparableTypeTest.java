package io.siltstone.type.comparable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms of values that Cassandra's documents show, and their order. */
class ComparableTypeTest {

  @ParameterizedTest
  @CsvSource({
    "int, 1, 80000001",
    "smallint, -1, 7fff",
    "tinyint, 0, 80",
    "bigint, 0, 80",
    "bigint, -1, 7f",
    "bigint, 63, bf",
    "bigint, 64, c040",
    "bigint, -65, 3fbf",
    "bigint, 1048576, f0100000",
    "bigint, -1048576, 100000",
    "bigint, 9223372036854775807, ffffffffffffffffff",
    "bigint, -9223372036854775808, 000000000000000000",
    "float, 1.0, bf800000",
    "float, -1.0, 407fffff",
    "double, -Infinity, 000fffffffffffff",
    "boolean, true, 01",
    "uuid, cc520882-9507-44fb-8fc9-b349ecdee658, 4cc52088295074fb8fc9b349ecdee658",
    "uuid, 2a92d750-d8dc-11e6-a2de-cf8ecd4cf053, 11e6d8dc2a92d750a2decf8ecd4cf053",
    "decimal, 1.1, c101818a00",
    "decimal, 0.01, c08100",
    "decimal, 0, 80",
    "decimal, 0.00, 80",
    "decimal, -0.01, 407f00",
    "decimal, -1, 3fff7f00",
    "decimal, -1.1, 3fff7eda00",
    "decimal, -98.9, 3fff1d8a00",
    "decimal, -99, 3fff1d00",
    "decimal, -99.9, 3fff1c8a00",
    "decimal, -8.1e2000, 3efc1777da00",
    "decimal, -8.1e-2000, 4203e777da00",
    "decimal, 8.1e-2000, befc19888a00",
    "decimal, 8.1e2000, c203e9888a00",
  })
  void formsOfNumbers(String type, String literal, String expected) {
    CqlType of = CqlTypes.byName(type).orElseThrow();
    assertThat(form(of, of.parse(literal))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "2200, 2200fe",
    "22000033, 2200feff3300",
    "220011, 2200ff1100",
    "'', 00",
    "00, 00fe",
    "0000, 00fefe",
  })
  void bytesOfAnyLengthShowWhereTheyEnd(String value, String expected) {
    assertThat(form(CqlTypes.BLOB, HexFormat.of().parseHex(value))).isEqualTo(expected);
    assertThat(form(CqlTypes.reversed(CqlTypes.BLOB), HexFormat.of().parseHex(value)))
        .isEqualTo(HexFormat.of().formatHex(flipped(HexFormat.of().parseHex(expected))));
  }

  private static byte[] flipped(byte[] bytes) {
    byte[] flipped = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      flipped[i] = (byte) ~bytes[i];
    }
    return flipped;
  }

  @Test
  void partsHaveSeparatorsAndNullsAtTheEndOfATupleNone() {
    CqlType tuple = CqlTypes.tuple(List.of(CqlTypes.TINYINT, CqlTypes.TEXT, CqlTypes.INT));
    assertThat(form(tuple, HexFormat.of().parseHex("0000000105" + "ffffffff" + "00000000")))
        .isEqualTo("4085" + "3e" + "3e" + "38");
    assertThat(form(tuple, HexFormat.of().parseHex("0000000105" + "ffffffff" + "ffffffff")))
        .isEqualTo("4085" + "38");
    CqlType list = CqlTypes.list(CqlTypes.TINYINT).frozen();
    assertThat(form(list, list.encode(List.of(1, -1)))).isEqualTo("4081407f38");
  }

  @Test
  void emptyValuesOfMostTypesHaveNoForm() {
    assertThat(form(CqlTypes.INT, new byte[0])).isEqualTo("none");
    assertThat(form(CqlTypes.DECIMAL, new byte[0])).isEqualTo("none");
    assertThat(form(CqlTypes.reversed(CqlTypes.UUID), new byte[0])).isEqualTo("none");
    assertThat(form(CqlTypes.TEXT, new byte[0])).isEqualTo("00");
  }

  /** The sign and the payload of a NaN do not count in the order of values. */
  @Test
  void eachNaNHasOneFormAfterAllNumbers() {
    for (String nan : List.of("7fc00000", "ffc00000", "ffffffff", "7f800001")) {
      assertThat(form(CqlTypes.FLOAT, HexFormat.of().parseHex(nan))).as(nan).isEqualTo("ffc00000");
    }
    for (String nan : List.of("7ff8000000000000", "fff8000000000000", "fff0000000000001")) {
      assertThat(form(CqlTypes.DOUBLE, HexFormat.of().parseHex(nan)))
          .as(nan)
          .isEqualTo("fff8000000000000");
    }
    assertThat(form(CqlTypes.FLOAT, HexFormat.of().parseHex("7f800000"))).isEqualTo("ff800000");
  }

  @Test
  void whatHasNoOrderIsRefused() {
    assertThatThrownBy(() -> ComparableType.of(CqlTypes.COUNTER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("counter has no order");
    assertThatThrownBy(() -> form(CqlTypes.BIGINT, new byte[7]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bigint of 7 bytes, allowed 0 or 8");
    assertThatThrownBy(() -> form(CqlTypes.DECIMAL, new byte[4]))
        .isInstanceOf(IllegalArgumentException.class);
    CqlType list = CqlTypes.list(CqlTypes.INT).frozen();
    assertThatThrownBy(() -> form(list, HexFormat.of().parseHex("0000000100000005")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ends within a part");
    assertThatThrownBy(() -> form(list, HexFormat.of().parseHex("ffffffff")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 elements");
  }

  /** Numbers of any length and scale, of which many differ in the last digits only. */
  @Test
  void numbersAreOrderedAsTheirForms() {
    long seed = Long.getLong("siltstone.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      BigInteger left = new BigInteger(1 + random.nextInt(200), random);
      BigInteger right =
          random.nextBoolean()
              ? left.add(BigInteger.valueOf(random.nextInt(3) - 1))
              : new BigInteger(1 + random.nextInt(200), random);
      if (random.nextBoolean()) {
        left = left.negate();
        right = random.nextInt(4) == 0 ? right : right.negate();
      }
      assertThat(order(CqlTypes.VARINT, left, right))
          .as("seed %s, %s, %s", seed, left, right)
          .isEqualTo(left.compareTo(right));
      BigDecimal small = new BigDecimal(left, random.nextInt(60) - 30);
      BigDecimal great = new BigDecimal(right, small.scale() + random.nextInt(3) - 1);
      assertThat(order(CqlTypes.DECIMAL, small, great))
          .as("seed %s, %s, %s", seed, small, great)
          .isEqualTo(small.compareTo(great));
    }
  }

  private static int order(CqlType type, Object left, Object right) {
    ComparableBytes l = new ComparableBytes();
    ComparableBytes r = new ComparableBytes();
    byte[] leftBytes = type.encode(left);
    byte[] rightBytes = type.encode(right);
    ComparableType.of(type).append(leftBytes, 0, leftBytes.length, l);
    ComparableType.of(type).append(rightBytes, 0, rightBytes.length, r);
    return Integer.signum(ComparableBytes.compare(l, r));
  }

  private static String form(CqlType type, byte[] value) {
    ComparableBytes out = new ComparableBytes();
    return ComparableType.of(type).append(value, 0, value.length, out)
        ? HexFormat.of().formatHex(out.toByteArray())
        : "none";
  }
}
