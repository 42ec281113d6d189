package io.siltstone.type;

/**
 * A timestamp ordered as unsigned bytes, those before 1970 last, of tables made before CQL 3.
 * Source: Cassandra {@code DateType}.
 */
final class LegacyDateType extends InstantType {
  LegacyDateType() {
    super("DateType");
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }
}
