package io.siltstone.type;

/** {@code text}: UTF-8, ordered as unsigned bytes. Source: Cassandra {@code UTF8Type}. */
final class TextType extends ScalarType {
  TextType() {
    super("UTF8Type", "text");
  }

  @Override
  Quotes quotes() {
    return Quotes.ALWAYS;
  }

  @Override
  boolean emptyIsNull() {
    return false;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (!Utf8.isAccepted(value, offset, length)) {
      throw new IllegalArgumentException("text is not UTF-8");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return Utf8.decode(value, offset, length);
  }

  @Override
  byte[] encodeObject(Object value) {
    throw new IllegalArgumentException(
        "a " + value.getClass().getName() + " is no text, allowed: String");
  }

  @Override
  byte[] encodeText(String text) {
    return Utf8.encode(text);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return Utf8.decode(value, offset, length);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    return JsonText.quoted(Utf8.decode(value, offset, length));
  }

  @Override
  public byte[] parse(String text) {
    return Utf8.encode(text);
  }
}
