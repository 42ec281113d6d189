package io.siltstone.sstable.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Prefix}: rows are ordered as their types order the values. */
class PrefixTest {
  private static final int SEED = 20;
  private static final int PAIRS = 2_000;

  static Stream<CqlType> types() {
    return Stream.of(
            CqlTypes.INT,
            CqlTypes.BIGINT,
            CqlTypes.SMALLINT,
            CqlTypes.TIMESTAMP,
            CqlTypes.DATE,
            CqlTypes.TIME,
            CqlTypes.DOUBLE,
            CqlTypes.UUID,
            CqlTypes.BLOB)
        .flatMap(type -> Stream.of(type, CqlTypes.reversed(type)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void rowsAreOrderedByTheTypeOfTheirValue(CqlType type) {
    Random random = new Random(SEED);
    for (int i = 0; i < PAIRS; i++) {
      byte[] left = value(type, random);
      byte[] right = random.nextInt(8) == 0 ? left : value(type, random);
      int expected = type.compare(left, 0, left.length, right, 0, right.length);
      Prefix first = row(type, left, random);
      Prefix second = row(type, right, random);
      assertThat(Integer.signum(first.compareTo(second)))
          .as("%s and %s, seed %s", Arrays.toString(left), Arrays.toString(right), SEED)
          .isEqualTo(Integer.signum(expected));
      Prefix copy = new Prefix(List.of(type));
      copy.copyOf(first);
      Prefix view = new Prefix(List.of(type));
      view.viewOf(second);
      assertThat(Integer.signum(copy.compareTo(view))).isEqualTo(Integer.signum(expected));
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void boundsLieBesideTheRowOfTheirValue(CqlType type) {
    Random random = new Random(SEED);
    byte[] value = value(type, random);
    Prefix row = row(type, value, random);
    Prefix bound = new Prefix(List.of(type));
    byte[] bytes = serialized(type, value);
    // Kind 1 is the inclusive start of a range tombstone, kind 6 the inclusive end.
    bound.parse(1, 1, bytes, 0, bytes.length);
    assertThat(bound.compareTo(row)).isNegative();
    assertThat(row.compareTo(bound)).isPositive();
    bound.parse(6, 1, bytes, 0, bytes.length);
    assertThat(bound.compareTo(row)).isPositive();
    assertThat(row.compareTo(bound)).isNegative();
  }

  /** Returns a prefix that has held another row before. */
  private static Prefix row(CqlType type, byte[] value, Random random) {
    Prefix row = new Prefix(List.of(type));
    for (byte[] each : List.of(serialized(type, value(type, random)), serialized(type, value))) {
      assertThat(row.parse(Prefix.ROW, 1, each, 0, each.length)).isEqualTo(each.length);
    }
    return row;
  }

  /** Returns a random value, which is empty at times. */
  private static byte[] value(CqlType type, Random random) {
    if (random.nextInt(16) == 0) {
      return new byte[0];
    }
    byte[] value = new byte[type.fixedLength() < 0 ? length(type, random) : type.fixedLength()];
    random.nextBytes(value);
    if (random.nextInt(4) == 0) {
      Arrays.fill(value, 0, value.length - 1, (byte) (random.nextBoolean() ? 0 : -1));
    }
    return value;
  }

  private static int length(CqlType type, Random random) {
    if (type.unreversed().equals(CqlTypes.SMALLINT)) {
      return Short.BYTES;
    }
    return type.unreversed().equals(CqlTypes.TIME) ? Long.BYTES : 4 + random.nextInt(8);
  }

  /** Returns the header of one value, its length unless it is fixed, and the value. */
  private static byte[] serialized(CqlType type, byte[] value) {
    byte[] bytes = new byte[1 + Vint.MAX_LENGTH + value.length];
    if (value.length == 0) {
      bytes[0] = 1;
      return Arrays.copyOf(bytes, 1);
    }
    int at = type.fixedLength() < 0 ? Vint.write(bytes, 1, value.length) : 1;
    System.arraycopy(value, 0, bytes, at, value.length);
    return Arrays.copyOf(bytes, at + value.length);
  }
}
