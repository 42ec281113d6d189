package io.siltstone.type;

/** {@code text}: UTF-8, ordered as unsigned bytes. Source: Cassandra {@code UTF8Type}. */
final class TextType extends StringType {
  TextType() {
    super("UTF8Type", "text");
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (!Utf8.isAccepted(value, offset, length)) {
      throw new IllegalArgumentException("text is not UTF-8");
    }
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
