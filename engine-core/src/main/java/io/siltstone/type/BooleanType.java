package io.siltstone.type;

/** {@code boolean}: one byte, 0 for false. Source: Cassandra {@code BooleanType}. */
final class BooleanType extends ScalarType {
  BooleanType() {
    super("BooleanType", "boolean");
  }

  @Override
  public int fixedLength() {
    return 1;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength == 0 || rightLength == 0) {
      return Order.emptyFirst(leftLength, rightLength);
    }
    return Boolean.compare(left[leftOffset] != 0, right[rightOffset] != 0);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length > 1) {
      throw wrongLength(length, "0 or 1");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return value[offset] != 0;
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof Boolean flag) {
      return bytes(flag);
    }
    throw refused(value, "Boolean");
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Boolean.toString(value[offset] != 0);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    return numberJson(value, offset, length);
  }

  /** Parses a boolean; like Cassandra it takes an empty text for false. */
  @Override
  public byte[] parse(String text) {
    if (text.equalsIgnoreCase("true")) {
      return bytes(true);
    }
    if (text.isEmpty() || text.equalsIgnoreCase("false")) {
      return bytes(false);
    }
    throw noValue(text);
  }

  private static byte[] bytes(boolean value) {
    return new byte[] {(byte) (value ? 1 : 0)};
  }
}
