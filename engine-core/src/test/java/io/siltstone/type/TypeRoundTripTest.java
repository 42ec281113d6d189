package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every type and value. */
class TypeRoundTripTest {

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void valuesComeBackFromBytesAndTexts(long seed) {
    Random random = new Random(seed);
    RandomTypes types = new RandomTypes(random);
    for (int i = 0; i < 20; i++) {
      CqlType type = types.type(0);
      Object value = types.value(type);
      String context = "seed " + seed + ", " + type + ", " + value;
      byte[] bytes = type.encode(value);
      type.validate(bytes, 0, bytes.length);
      assertThat(type.decode(bytes, 0, bytes.length)).as(context).isEqualTo(value);

      byte[] shifted = new byte[bytes.length + 7];
      Arrays.fill(shifted, (byte) 0x2a);
      System.arraycopy(bytes, 0, shifted, 3, bytes.length);
      assertThat(type.decode(shifted, 3, bytes.length)).as(context).isEqualTo(value);

      String literal = type.toCqlLiteral(bytes, 0, bytes.length);
      byte[] read = type.encodeLiteral(literal);
      assertThat(type.decode(read, 0, read.length))
          .as("%s, literal %s", context, literal)
          .isEqualTo(value);
      if (type.kind() != TypeKind.TUPLE && type.kind() != TypeKind.USER) { // these are ambiguous
        String text = type.format(bytes, 0, bytes.length);
        if (!isYearWithoutEra(type, literal) && !text.isEmpty()) {
          byte[] parsed = type.parse(text);
          assertThat(type.decode(parsed, 0, parsed.length))
              .as("%s, text %s", context, text)
              .isEqualTo(value);
        }
      }
      assertThat(TypeParser.parse(type.className())).as(context).isEqualTo(type);
    }
  }

  /** The text of a timestamp does not say whether its year is before our era. */
  private static boolean isYearWithoutEra(CqlType type, String literal) {
    return type.equals(CqlTypes.TIMESTAMP) && literal.startsWith("-");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void orderIsTotal(long seed) {
    Random random = new Random(seed);
    RandomTypes types = new RandomTypes(random);
    CqlType base = types.type(0);
    CqlType type = random.nextInt(4) == 0 ? CqlTypes.reversed(base) : base;
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      values.add(type.encode(types.value(type)));
    }
    if (base.kind() == TypeKind.SCALAR) {
      values.add(new byte[0]);
    }
    String context = "seed " + seed + ", " + type;
    for (byte[] a : values) {
      assertThat(compare(type, a, a)).as(context).isZero();
      for (byte[] b : values) {
        assertThat(compare(type, a, b)).as(context).isEqualTo(-compare(type, b, a));
        for (byte[] c : values) {
          if (compare(type, a, b) <= 0 && compare(type, b, c) <= 0) {
            assertThat(compare(type, a, c)).as(context).isLessThanOrEqualTo(0);
          }
        }
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void brokenBytesAreRefusedInOneWay(long seed) {
    Random random = new Random(seed);
    RandomTypes types = new RandomTypes(random);
    for (int i = 0; i < 20; i++) {
      CqlType type = types.type(0);
      byte[] valid = type.encode(types.value(type));
      byte[] broken = Arrays.copyOf(valid, random.nextInt(valid.length + 4));
      for (int k = random.nextInt(4); k > 0 && broken.length > 0; k--) {
        broken[random.nextInt(broken.length)] =
            (byte) (random.nextInt(4) == 0 ? -1 : random.nextInt());
      }
      String context = "seed " + seed + ", " + type + ", " + Arrays.toString(broken);
      int length = broken.length;
      boolean accepted = completes(context, () -> type.validate(broken, 0, length));
      boolean decoded = completes(context, () -> type.decode(broken, 0, length));
      boolean printed = completes(context, () -> type.toJson(broken, 0, length));
      completes(context, () -> type.format(broken, 0, length));
      completes(context, () -> type.toCqlLiteral(broken, 0, length));
      completes(context, () -> type.compare(broken, 0, length, valid, 0, valid.length));
      if (decoded && length > 0 && type.kind() != TypeKind.SCALAR) {
        assertThat(printed).as(context).isTrue();
      }
      if (accepted) { // what lies in the array behind the value is none of it
        byte[] longer = Arrays.copyOf(broken, length + 9);
        type.validate(longer, 0, length);
      }
    }
  }

  private static boolean completes(String context, Runnable call) {
    try {
      call.run();
      return true;
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).as(context).isNotBlank();
      return false;
    } catch (RuntimeException | Error e) {
      return fail(context, e);
    }
  }

  private static int compare(CqlType type, byte[] left, byte[] right) {
    return Integer.signum(type.compare(left, 0, left.length, right, 0, right.length));
  }
}
