package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that are none of a type's values are an IllegalArgumentException, and no other. */
class CorruptValuesTest {
  private static final int TYPES = 400;
  private static final int CHANGES = 40;

  private interface Use {
    void of(byte[] value);
  }

  @Test
  void corruptValuesAreRefusedOrRead() {
    int refused = 0;
    for (int seed = 0; seed < TYPES; seed++) {
      Random random = new Random(seed);
      RandomTypes types = new RandomTypes(random);
      CqlType type = types.type(0);
      byte[] sound = type.encode(types.value(type));
      for (int i = 0; i < CHANGES; i++) {
        byte[] bytes = changed(sound, random);
        String what = "seed " + seed + ", " + type + " " + HexFormat.of().formatHex(bytes);
        boolean isValid = accepts(what, bytes, value -> type.validate(value, 0, value.length));
        refused += isValid ? 0 : 1;
        accepts(what, bytes, value -> type.decode(value, 0, value.length));
        accepts(what, bytes, value -> type.compare(value, 0, value.length, sound, 0, sound.length));
        accepts(what, bytes, value -> type.compare(sound, 0, sound.length, value, 0, value.length));
        accepts(what, bytes, value -> type.format(value, 0, value.length));
        accepts(what, bytes, value -> type.toJson(value, 0, value.length));
        accepts(what, bytes, value -> type.toCqlLiteral(value, 0, value.length));
      }
    }
    assertThat(refused).isBetween(TYPES, TYPES * CHANGES - TYPES);
  }

  private static byte[] changed(byte[] sound, Random random) {
    byte[] bytes = Arrays.copyOf(sound, random.nextInt(sound.length + 5));
    if (bytes.length > 0 && random.nextBoolean()) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private static boolean accepts(String what, byte[] bytes, Use use) {
    try {
      use.of(bytes);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    } catch (RuntimeException e) {
      throw new AssertionError(what + ": " + e, e);
    }
  }
}
