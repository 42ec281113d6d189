package io.siltstone.type;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * {@code varint}: two's complement, big-endian, of any length; leading sign bytes change nothing.
 * Source: Cassandra {@code IntegerType}.
 */
final class VarintType extends ScalarType {
  VarintType() {
    super("IntegerType", "varint");
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    boolean negative = left[leftOffset] < 0;
    if (negative != right[rightOffset] < 0) {
      return negative ? -1 : 1;
    }
    int leftFirst = firstSignificant(left, leftOffset, leftLength);
    int rightFirst = firstSignificant(right, rightOffset, rightLength);
    int leftEnd = leftOffset + leftLength;
    int rightEnd = rightOffset + rightLength;
    int longer = Integer.compare(leftEnd - leftFirst, rightEnd - rightFirst);
    if (longer != 0) {
      return negative ? -longer : longer;
    }
    // Two's complement numbers of equal sign and length are ordered as unsigned bytes.
    return Arrays.compareUnsigned(left, leftFirst, leftEnd, right, rightFirst, rightEnd);
  }

  /** Returns the index of the first byte that does not merely repeat the sign of the next. */
  private static int firstSignificant(byte[] value, int offset, int length) {
    int sign = value[offset] >> 7;
    int last = offset + length - 1;
    int i = offset;
    while (i < last && value[i] == sign && value[i + 1] >> 7 == sign) {
      i++;
    }
    return i;
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    // All bytes are valid numbers.
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return new BigInteger(value, offset, length);
  }

  @Override
  byte[] encodeObject(Object value) {
    BigInteger number = Integrals.exact(value);
    if (number == null) {
      throw refused(value, "BigInteger, Byte, Short, Integer, Long");
    }
    return number.toByteArray();
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return new BigInteger(value, offset, length).toString();
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
      return new BigInteger(text).toByteArray();
    } catch (NumberFormatException e) {
      throw noValue(text, e);
    }
  }
}
