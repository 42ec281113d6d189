package io.siltstone.type;

import io.siltstone.bytes.BigEndian;

/** {@code timestamp}: signed. Source: Cassandra {@code TimestampType}. */
final class TimestampType extends InstantType {
  TimestampType() {
    super("TimestampType");
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == Long.BYTES && rightLength == Long.BYTES) {
      return Long.compare(
          BigEndian.getLong(left, leftOffset), BigEndian.getLong(right, rightOffset));
    }
    return Order.signed(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }
}
