package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Formats scalars whose usual text would be parsed as another value, or not at all: IPv4 addresses
 * of 16 bytes, and decimals whose exponent is not an int once a decimal point follows the first
 * digit.
 */
final class RoundTripText {
  private static final int MAPPED_LENGTH = 16;

  /** From here on, no number of digits makes the exponent leave the range of an int. */
  private static final int FARTHEST_SCALE = Integer.MIN_VALUE / 2;

  private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private RoundTripText() {}

  /**
   * Returns a text that is parsed as the same value, or null if the type's own text is.
   *
   * @param quote put around an address
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
          "a decimal of scale "
              + number.scale()
              + " cannot be written as a text that is read back");
    }
    return number.unscaledValue() + "E" + exponent;
  }
}
