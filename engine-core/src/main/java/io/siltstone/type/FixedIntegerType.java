package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.math.BigInteger;

/**
 * {@code tinyint}, {@code smallint}, {@code int} and {@code bigint}: two's complement, big-endian.
 *
 * <p>Only the latter two have a fixed length in files and may be empty. Source: Cassandra {@code
 * ByteType}, {@code ShortType}, {@code Int32Type}, {@code LongType}.
 */
final class FixedIntegerType extends ScalarType {
  private final int width;

  FixedIntegerType(String simpleClassName, String cqlName, int width) {
    super(simpleClassName, cqlName);
    this.width = width;
  }

  @Override
  public int fixedLength() {
    return width >= Integer.BYTES ? width : VARIABLE_LENGTH;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == width && rightLength == width) {
      return Long.compare(number(left, leftOffset), number(right, rightOffset));
    }
    return Order.signed(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != width && !(length == 0 && width >= Integer.BYTES)) {
      throw wrongLength(length, width >= Integer.BYTES ? "0 or " + width : "" + width);
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return switch (width) {
      case 1 -> (Object) value[offset];
      case 2 -> BigEndian.getShort(value, offset);
      case 4 -> BigEndian.getInt(value, offset);
      default -> BigEndian.getLong(value, offset);
    };
  }

  @Override
  byte[] encodeObject(Object value) {
    BigInteger number = Integrals.exact(value);
    if (number == null) {
      throw refused(value, "Byte, Short, Integer, Long, BigInteger");
    }
    if (number.bitLength() >= width * Byte.SIZE) {
      throw outOfRange(number);
    }
    return bytes(number.longValue());
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Long.toString(number(value, offset));
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
    long number;
    try {
      number = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw noValue(text, e);
    }
    int unused = Long.SIZE - width * Byte.SIZE;
    if (number << unused >> unused != number) {
      throw outOfRange(BigInteger.valueOf(number));
    }
    return bytes(number);
  }

  private IllegalArgumentException outOfRange(BigInteger number) {
    long max = Long.MAX_VALUE >> (Long.SIZE - width * Byte.SIZE);
    return new IllegalArgumentException(
        number + " is no " + cqlName() + ", allowed " + (-max - 1) + " to " + max);
  }

  private long number(byte[] value, int offset) {
    return switch (width) {
      case 1 -> value[offset];
      case 2 -> BigEndian.getShort(value, offset);
      case 4 -> BigEndian.getInt(value, offset);
      default -> BigEndian.getLong(value, offset);
    };
  }

  private byte[] bytes(long number) {
    byte[] bytes = new byte[width];
    switch (width) {
      case 1 -> bytes[0] = (byte) number;
      case 2 -> BigEndian.putShort(bytes, 0, (int) number);
      case 4 -> BigEndian.putInt(bytes, 0, (int) number);
      default -> BigEndian.putLong(bytes, 0, number);
    }
    return bytes;
  }
}
