package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.util.UUID;

/**
 * {@code timeuuid}: a UUID of version 1, ordered by its time, then by its other bytes as signed
 * ones. Source: Cassandra {@code TimeUUIDType}, {@code AbstractTimeUUIDType}.
 */
final class TimeUuidType extends UuidBasedType {
  /** Converts eight signed bytes, except the first one, to unsigned ones of the same order. */
  private static final long SIGNED_BYTES = 0x0080_8080_8080_8080L;

  private final boolean validatesVersion;

  /**
   * @param validatesVersion whether other versions are rejected; Cassandra's type for user-defined
   *     functions accepts them
   */
  TimeUuidType(String simpleClassName, boolean validatesVersion) {
    super(simpleClassName, "timeuuid");
    this.validatesVersion = validatesVersion;
  }

  /** Compares UUIDs of any version, unlike Cassandra; {@link #validate} checks the version. */
  @Override
  int compareHalves(long leftFirst, long leftLast, long rightFirst, long rightLast) {
    int order = Long.compare(UuidBytes.timeFirst(leftFirst), UuidBytes.timeFirst(rightFirst));
    return order != 0 ? order : Long.compare(leftLast ^ SIGNED_BYTES, rightLast ^ SIGNED_BYTES);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    super.validate(value, offset, length);
    if (validatesVersion && length != 0) {
      checkVersion(UuidBytes.version(BigEndian.getLong(value, offset)));
    }
  }

  private static void checkVersion(int version) {
    if (version != 1) {
      throw new IllegalArgumentException("timeuuid of version " + version + ", allowed 1");
    }
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof UUID uuid) {
      checkVersion(uuid.version());
    }
    return super.encodeObject(value);
  }
}
