package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * {@code double}: IEEE 754, big-endian. Ordered as {@link Double#compare} does. Source: Cassandra
 * {@code DoubleType}.
 */
final class DoubleType extends ScalarType {
  DoubleType() {
    super("DoubleType", "double");
  }

  @Override
  public int fixedLength() {
    return Double.BYTES;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    validate(left, leftOffset, leftLength);
    validate(right, rightOffset, rightLength);
    return Double.compare(number(left, leftOffset), number(right, rightOffset));
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != Double.BYTES) {
      throw wrongLength(length, "0 or 8");
    }
  }

  private static double number(byte[] value, int offset) {
    return Double.longBitsToDouble(BigEndian.getLong(value, offset));
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return number(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return bytes(((Number) value).doubleValue());
    }
    BigInteger number = Integrals.exact(value);
    if (number == null) {
      throw refused(value, "Double, Float, Byte, Short, Integer, Long, BigInteger");
    }
    double rounded = number.doubleValue();
    if (Double.isInfinite(rounded) || !new BigDecimal(rounded).toBigInteger().equals(number)) {
      throw new IllegalArgumentException(number + " is no double: it would be rounded");
    }
    return bytes(rounded);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Double.toString(number(value, offset));
  }

  /** JSON knows neither NaN nor infinity: they become null. */
  @Override
  public String toJson(byte[] value, int offset, int length) {
    String number = numberJson(value, offset, length);
    return length != 0 && !Double.isFinite(number(value, offset)) ? "null" : number;
  }

  @Override
  public byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    try {
      return bytes(Double.parseDouble(text));
    } catch (NumberFormatException e) {
      throw noValue(text, e);
    }
  }

  private static byte[] bytes(double number) {
    byte[] bytes = new byte[Double.BYTES];
    BigEndian.putLong(bytes, 0, Double.doubleToRawLongBits(number));
    return bytes;
  }
}
