package io.siltstone.type;

import java.math.BigDecimal;
import java.math.BigInteger;

/** The base class of {@code float} and {@code double}: IEEE 754, big-endian; may be empty. */
abstract class FloatingPointType extends ScalarType {
  private final int size;

  /**
   * @param simpleClassName of Cassandra's class
   * @param size of a value in bytes
   */
  FloatingPointType(String simpleClassName, String cqlName, int size) {
    super(simpleClassName, cqlName);
    this.size = size;
  }

  /** Returns a number of this type, widened if it is a {@code float}. */
  abstract double number(byte[] value, int offset);

  /** Returns the number of this type that is nearest to an integer, maybe infinite. */
  abstract double nearest(BigInteger integer);

  /** Returns the number of this type in a text. */
  abstract byte[] parseNumber(String text);

  /** Encodes a number, which is one of this type. */
  abstract byte[] bytes(double number);

  @Override
  public final int fixedLength() {
    return size;
  }

  /** Compares as {@link Double#compare} does, which orders floats as {@link Float#compare} does. */
  @Override
  public final int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    validate(left, leftOffset, leftLength);
    validate(right, rightOffset, rightLength);
    return Double.compare(number(left, leftOffset), number(right, rightOffset));
  }

  @Override
  public final void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != size) {
      throw wrongLength(length, "0 or " + size);
    }
  }

  /**
   * Encodes an integer that needs no rounding.
   *
   * @param classes that the type takes, for messages
   */
  final byte[] encodeInteger(Object value, String classes) {
    BigInteger integer = Integrals.exact(value);
    if (integer == null) {
      throw refused(value, classes);
    }
    double nearest = nearest(integer);
    if (Double.isInfinite(nearest) || !new BigDecimal(nearest).toBigInteger().equals(integer)) {
      throw rounded(integer);
    }
    return bytes(nearest);
  }

  /** Returns the exception for a number that would be rounded. */
  final IllegalArgumentException rounded(Number number) {
    return new IllegalArgumentException(number + " is no " + cqlName() + ": it would be rounded");
  }

  /** Returns the JSON number; null for NaN and infinity, which JSON does not have. */
  @Override
  public final String toJson(byte[] value, int offset, int length) {
    String number = numberJson(value, offset, length);
    return length != 0 && !Double.isFinite(number(value, offset)) ? "null" : number;
  }

  @Override
  public final byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    try {
      return parseNumber(text);
    } catch (NumberFormatException e) {
      throw noValue(text, e);
    }
  }
}
