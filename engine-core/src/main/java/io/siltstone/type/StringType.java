package io.siltstone.type;

/** The base class of text types: ordered as unsigned bytes; the empty text is a value. */
abstract class StringType extends ScalarType {
  StringType(String simpleClassName, String cqlName) {
    super(simpleClassName, cqlName);
  }

  @Override
  final Quotes quotes() {
    return Quotes.ALWAYS;
  }

  @Override
  final boolean emptyIsNull() {
    return false;
  }

  @Override
  public final int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  final Object decodeValid(byte[] value, int offset, int length) {
    return text(value, offset, length);
  }

  @Override
  final byte[] encodeObject(Object value) {
    throw new IllegalArgumentException(
        "a " + value.getClass().getName() + " is no " + cqlName() + ", allowed: String");
  }

  @Override
  final byte[] encodeText(String text) {
    return parse(text);
  }
}
