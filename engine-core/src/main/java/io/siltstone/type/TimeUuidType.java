package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.util.UUID;

/**
 * {@code timeuuid}: a UUID of version 1, ordered by its time, then by its other bytes as signed
 * ones. Source: Cassandra {@code TimeUUIDType}, {@code AbstractTimeUUIDType}.
 */
final class TimeUuidType extends ScalarType {
  /** Turns eight signed bytes, the first excepted, into unsigned ones of the same order. */
  private static final long SIGNED_BYTES = 0x0080_8080_8080_8080L;

  private final boolean validatesVersion;

  /**
   * @param validatesVersion whether bytes of another version are refused; Cassandra's type for
   *     user-defined functions takes them
   */
  TimeUuidType(String simpleClassName, boolean validatesVersion) {
    super(simpleClassName, "timeuuid");
    this.validatesVersion = validatesVersion;
  }

  @Override
  public int fixedLength() {
    return UuidBytes.LENGTH;
  }

  /** Unlike Cassandra takes any version: whether it is 1 is for {@link #validate} to say. */
  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength != UuidBytes.LENGTH || rightLength != UuidBytes.LENGTH) {
      return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
    }
    int order =
        Long.compare(
            UuidBytes.timeFirst(BigEndian.getLong(left, leftOffset)),
            UuidBytes.timeFirst(BigEndian.getLong(right, rightOffset)));
    return order != 0
        ? order
        : Long.compare(
            BigEndian.getLong(left, leftOffset + 8) ^ SIGNED_BYTES,
            BigEndian.getLong(right, rightOffset + 8) ^ SIGNED_BYTES);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length == 0) {
      return;
    }
    if (length != UuidBytes.LENGTH) {
      throw wrongLength(length, "0 or 16");
    }
    if (validatesVersion) {
      checkVersion(UuidBytes.version(BigEndian.getLong(value, offset)));
    }
  }

  private static void checkVersion(int version) {
    if (version != 1) {
      throw new IllegalArgumentException("timeuuid of version " + version + ", allowed 1");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return UuidBytes.get(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof UUID uuid) {
      checkVersion(uuid.version());
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
    return encodeObject(UUID.fromString(text));
  }
}
