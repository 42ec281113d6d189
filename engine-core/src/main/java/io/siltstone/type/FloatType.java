package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * {@code float}: IEEE 754, big-endian. Ordered as {@link Float#compare} does. Source: Cassandra
 * {@code FloatType}.
 */
final class FloatType extends ScalarType {
  FloatType() {
    super("FloatType", "float");
  }

  @Override
  public int fixedLength() {
    return Float.BYTES;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    validate(left, leftOffset, leftLength);
    validate(right, rightOffset, rightLength);
    return Float.compare(number(left, leftOffset), number(right, rightOffset));
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != Float.BYTES) {
      throw wrongLength(length, "0 or 4");
    }
  }

  private static float number(byte[] value, int offset) {
    return Float.intBitsToFloat(BigEndian.getInt(value, offset));
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return number(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof Float number) {
      return bytes(number);
    }
    if (value instanceof Double number) {
      if (Double.compare(number.floatValue(), number) != 0) {
        throw new IllegalArgumentException(number + " is no float: it would be rounded");
      }
      return bytes(number.floatValue());
    }
    BigInteger number = Integrals.exact(value);
    if (number == null) {
      throw refused(value, "Float, Double, Byte, Short, Integer, Long, BigInteger");
    }
    float rounded = number.floatValue();
    if (Float.isInfinite(rounded) || !new BigDecimal(rounded).toBigInteger().equals(number)) {
      throw new IllegalArgumentException(number + " is no float: it would be rounded");
    }
    return bytes(rounded);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Float.toString(number(value, offset));
  }

  /** JSON knows neither NaN nor infinity: they become null. */
  @Override
  public String toJson(byte[] value, int offset, int length) {
    String number = numberJson(value, offset, length);
    return length != 0 && !Float.isFinite(number(value, offset)) ? "null" : number;
  }

  @Override
  public byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    try {
      return bytes(Float.parseFloat(text));
    } catch (NumberFormatException e) {
      throw noValue(text, e);
    }
  }

  private static byte[] bytes(float number) {
    byte[] bytes = new byte[Float.BYTES];
    BigEndian.putInt(bytes, 0, Float.floatToRawIntBits(number));
    return bytes;
  }
}
