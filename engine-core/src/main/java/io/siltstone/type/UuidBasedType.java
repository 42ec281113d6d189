package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.util.UUID;

/**
 * The base class of UUID types, of sixteen bytes. They differ in their order, and in the versions
 * that they accept.
 */
abstract class UuidBasedType extends ScalarType {
  private static final int HALF = Long.BYTES;

  UuidBasedType(String simpleClassName, String cqlName) {
    super(simpleClassName, cqlName);
  }

  @Override
  public final int fixedLength() {
    return UuidBytes.LENGTH;
  }

  @Override
  public final int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return leftLength == UuidBytes.LENGTH && rightLength == UuidBytes.LENGTH
        ? compareHalves(
            BigEndian.getLong(left, leftOffset),
            BigEndian.getLong(left, leftOffset + HALF),
            BigEndian.getLong(right, rightOffset),
            BigEndian.getLong(right, rightOffset + HALF))
        : Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  /** Returns the order of two UUIDs by their first and last eight bytes. */
  abstract int compareHalves(long leftFirst, long leftLast, long rightFirst, long rightLast);

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != UuidBytes.LENGTH) {
      throw wrongLength(length, "0 or 16");
    }
  }

  @Override
  final Object decodeValid(byte[] value, int offset, int length) {
    return UuidBytes.get(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof UUID uuid) {
      return UuidBytes.of(uuid);
    }
    throw refused(value, "UUID");
  }

  @Override
  final String text(byte[] value, int offset, int length) {
    return UuidBytes.get(value, offset).toString();
  }

  @Override
  public final byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    if (!UuidBytes.isText(text)) {
      throw noValue(text);
    }
    return encodeObject(UUID.fromString(text));
  }
}
