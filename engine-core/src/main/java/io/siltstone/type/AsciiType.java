package io.siltstone.type;

import java.nio.charset.StandardCharsets;

/** {@code ascii}: seven-bit text. Source: Cassandra {@code AsciiType}. */
final class AsciiType extends StringType {
  AsciiType() {
    super("AsciiType", "ascii");
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
