package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigInteger;

/** {@code double}: eight bytes. Source: Cassandra {@code DoubleType}. */
final class DoubleType extends FloatingPointType {
  DoubleType() {
    super("DoubleType", "double", Double.BYTES);
  }

  @Override
  double number(byte[] value, int offset) {
    return Double.longBitsToDouble(BigEndian.getLong(value, offset));
  }

  @Override
  double nearest(BigInteger integer) {
    return integer.doubleValue();
  }

  @Override
  byte[] parseNumber(String text) {
    return bytes(Double.parseDouble(text));
  }

  @Override
  byte[] bytes(double number) {
    byte[] bytes = new byte[Double.BYTES];
    BigEndian.putLong(bytes, 0, Double.doubleToRawLongBits(number));
    return bytes;
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return number(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    return value instanceof Double || value instanceof Float
        ? bytes(((Number) value).doubleValue())
        : encodeInteger(value, "Double, Float, Byte, Short, Integer, Long, BigInteger");
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Double.toString(number(value, offset));
  }
}
