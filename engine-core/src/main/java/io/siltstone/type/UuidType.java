package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.util.UUID;

/**
 * {@code uuid}: sixteen bytes, ordered by version, those of version 1 by their time, then as
 * unsigned. Source: Cassandra {@code UUIDType}.
 */
final class UuidType extends ScalarType {
  private static final int TIME_VERSION = 1;

  UuidType() {
    super("UUIDType", "uuid");
  }

  @Override
  public int fixedLength() {
    return UuidBytes.LENGTH;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength != UuidBytes.LENGTH || rightLength != UuidBytes.LENGTH) {
      return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
    }
    long leftHigh = BigEndian.getLong(left, leftOffset);
    long rightHigh = BigEndian.getLong(right, rightOffset);
    int version = UuidBytes.version(leftHigh);
    int order = Integer.compare(version, UuidBytes.version(rightHigh));
    if (order == 0) {
      order =
          version == TIME_VERSION
              ? Long.compare(UuidBytes.timeFirst(leftHigh), UuidBytes.timeFirst(rightHigh))
              : Long.compareUnsigned(leftHigh, rightHigh);
    }
    return order != 0
        ? order
        : Long.compareUnsigned(
            BigEndian.getLong(left, leftOffset + 8), BigEndian.getLong(right, rightOffset + 8));
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != UuidBytes.LENGTH) {
      throw wrongLength(length, "0 or 16");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
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
  String text(byte[] value, int offset, int length) {
    return UuidBytes.get(value, offset).toString();
  }

  @Override
  public byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    if (!UuidBytes.isText(text)) {
      throw noValue(text);
    }
    return UuidBytes.of(UUID.fromString(text));
  }
}
