package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigInteger;

/** {@code float}: four bytes. Source: Cassandra {@code FloatType}. */
final class FloatType extends FloatingPointType {
  FloatType() {
    super("FloatType", "float", Float.BYTES);
  }

  private static float decoded(byte[] value, int offset) {
    return Float.intBitsToFloat(BigEndian.getInt(value, offset));
  }

  private static byte[] encoded(float number) {
    byte[] bytes = new byte[Float.BYTES];
    BigEndian.putInt(bytes, 0, Float.floatToRawIntBits(number));
    return bytes;
  }

  @Override
  double number(byte[] value, int offset) {
    return decoded(value, offset);
  }

  @Override
  double nearest(BigInteger integer) {
    return integer.floatValue();
  }

  @Override
  byte[] parseNumber(String text) {
    return encoded(Float.parseFloat(text));
  }

  @Override
  byte[] bytes(double number) {
    return encoded((float) number);
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return decoded(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof Float number) {
      return encoded(number);
    }
    if (value instanceof Double number) {
      if (Double.compare(number.floatValue(), number) != 0) {
        throw rounded(number);
      }
      return encoded(number.floatValue());
    }
    return encodeInteger(value, "Float, Double, Byte, Short, Integer, Long, BigInteger");
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Float.toString(decoded(value, offset));
  }
}
