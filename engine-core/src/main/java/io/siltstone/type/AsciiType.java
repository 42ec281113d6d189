package io.siltstone.type;

import java.nio.charset.StandardCharsets;

/** {@code ascii}: seven-bit text. Source: Cassandra {@code AsciiType}. */
final class AsciiType extends ScalarType {
  AsciiType() {
    super("AsciiType", "ascii");
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
    for (int i = 0; i < length; i++) {
      if (value[offset + i] < 0) {
        throw new IllegalArgumentException(
            "byte " + (value[offset + i] & 0xff) + " in ascii, allowed 0 to 127");
      }
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return text(value, offset, length);
  }

  @Override
  byte[] encodeObject(Object value) {
    throw new IllegalArgumentException(
        "a " + value.getClass().getName() + " is no ascii, allowed: String");
  }

  @Override
  byte[] encodeText(String text) {
    return parse(text);
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return new String(value, offset, length, StandardCharsets.US_ASCII);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    validate(value, offset, length);
    return JsonText.quoted(text(value, offset, length));
  }

  @Override
  public byte[] parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 127) {
        throw new IllegalArgumentException(
            "character " + (int) text.charAt(i) + " in ascii, allowed 0 to 127");
      }
    }
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
