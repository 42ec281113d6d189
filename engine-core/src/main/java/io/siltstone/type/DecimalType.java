package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * {@code decimal}.
 *
 * <pre>
 *   scale      int
 *   unscaled   at least one byte, two's complement
 * </pre>
 *
 * Comparisons allocate: the bytes of numbers with different scales have no order. Source: Cassandra
 * {@code DecimalType}.
 */
final class DecimalType extends ScalarType {
  DecimalType() {
    super("DecimalType", "decimal");
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    if (left == right && leftOffset == rightOffset && leftLength == rightLength) {
      // A value is compared with itself to check that it has an order; this allocates nothing.
      checkNumber(leftLength);
      return 0;
    }
    return number(left, leftOffset, leftLength).compareTo(number(right, rightOffset, rightLength));
  }

  @Override
  public boolean mayRefuseToCompare() {
    return true;
  }

  /** Four bytes are valid in Cassandra, too, but it cannot read them. */
  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length < Integer.BYTES) {
      throw wrongLength(length, "0 or at least 4");
    }
  }

  private void checkNumber(int length) {
    if (length <= Integer.BYTES) {
      throw wrongLength(length, "0 or at least 5");
    }
  }

  private BigDecimal number(byte[] value, int offset, int length) {
    checkNumber(length);
    return new BigDecimal(
        new BigInteger(value, offset + Integer.BYTES, length - Integer.BYTES),
        BigEndian.getInt(value, offset));
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return number(value, offset, length);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof BigDecimal decimal) {
      return bytes(decimal);
    }
    BigInteger number = Integrals.exact(value);
    if (number == null) {
      throw refused(value, "BigDecimal, BigInteger, Byte, Short, Integer, Long");
    }
    return bytes(new BigDecimal(number));
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return number(value, offset, length).toString();
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    return numberJson(value, offset, length);
  }

  @Override
  public byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    try {
      return bytes(new BigDecimal(text));
    } catch (NumberFormatException e) {
      throw noValue(text, e);
    }
  }

  private static byte[] bytes(BigDecimal number) {
    byte[] unscaled = number.unscaledValue().toByteArray();
    byte[] bytes = new byte[Integer.BYTES + unscaled.length];
    BigEndian.putInt(bytes, 0, number.scale());
    System.arraycopy(unscaled, 0, bytes, Integer.BYTES, unscaled.length);
    return bytes;
  }
}
