package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Scalars whose own text would be read back as another value, or not at all: IPv4 addresses of 16
 * bytes, and decimals whose exponent is none if there is a point behind the first digit.
 */
final class ExactText {
  private static final int MAPPED_LENGTH = 16;

  /** No number has so many digits that its exponent could leave an int from there. */
  private static final int FARTHEST_SCALE = Integer.MIN_VALUE / 2;

  private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private ExactText() {}

  /**
   * The text that is read back to the same value, or null if the type's own is.
   *
   * @param quote that stands about an address
   * @throws IllegalArgumentException if there is no such text
   */
  static @Nullable String of(CqlType type, byte[] value, int offset, int length, String quote) {
    if (type.equals(CqlTypes.INET)) {
      return isMapped(value, offset, length)
          ? quote + "::ffff:" + type.format(value, offset, length) + "%0" + quote
          : null;
    }
    if (type.equals(CqlTypes.DECIMAL)
        && length > Integer.BYTES
        && BigEndian.getInt(value, offset) < FARTHEST_SCALE
        && type.decode(value, offset, length) instanceof BigDecimal d) {
      return decimal(d);
    }
    return null;
  }

  private static boolean isMapped(byte[] value, int offset, int length) {
    return length == MAPPED_LENGTH
        && Arrays.equals(
            value, offset, offset + MAPPED_PREFIX.length, MAPPED_PREFIX, 0, MAPPED_PREFIX.length);
  }

  private static @Nullable String decimal(BigDecimal number) {
    long exponent = -(long) number.scale();
    if (exponent <= 0 || exponent + number.precision() - 1 <= Integer.MAX_VALUE) {
      return null;
    }
    if (exponent > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a decimal of scale " + number.scale() + " has no text that is read back");
    }
    return number.unscaledValue() + "E" + exponent;
  }
}
