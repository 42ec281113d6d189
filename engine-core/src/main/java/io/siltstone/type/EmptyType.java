package io.siltstone.type;

/** The type with the empty value as its only value. Source: Cassandra {@code EmptyType}. */
final class EmptyType extends ScalarType {
  EmptyType() {
    super("EmptyType", "empty");
  }

  @Override
  public int fixedLength() {
    return 0;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return 0;
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0) {
      throw wrongLength(length, "0");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    throw new AssertionError("an empty value is decoded to null");
  }

  @Override
  byte[] encodeObject(Object value) {
    throw refused(value, "none");
  }

  @Override
  byte[] encodeText(String text) {
    return parse(text);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return "";
  }

  @Override
  public byte[] parse(String text) {
    if (!text.isEmpty()) {
      throw noValue(text);
    }
    return new byte[0];
  }
}
