package io.siltstone.type;

/**
 * {@code uuid}: ordered by version, those of version 1 by their time, then as unsigned. Source:
 * Cassandra {@code UUIDType}.
 */
final class UuidType extends UuidBasedType {
  private static final int TIME_VERSION = 1;

  UuidType() {
    super("UUIDType", "uuid");
  }

  @Override
  int compareHalves(long leftFirst, long leftLast, long rightFirst, long rightLast) {
    int version = UuidBytes.version(leftFirst);
    int order = Integer.compare(version, UuidBytes.version(rightFirst));
    if (order == 0) {
      order =
          version == TIME_VERSION
              ? Long.compare(UuidBytes.timeFirst(leftFirst), UuidBytes.timeFirst(rightFirst))
              : Long.compareUnsigned(leftFirst, rightFirst);
    }
    return order != 0 ? order : Long.compareUnsigned(leftLast, rightLast);
  }
}
