package io.siltstone.type;

import java.util.Arrays;

/** {@code blob}: any bytes, ordered as unsigned. Source: Cassandra {@code BytesType}. */
final class BlobType extends ScalarType {
  BlobType() {
    super("BytesType", "blob");
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
    // All bytes are allowed.
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return Arrays.copyOfRange(value, offset, offset + length);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    throw refused(value, "byte[]");
  }

  /** Formats without the prefix, as Cassandra's tools do; CQL writes it. */
  @Override
  byte[] encodeText(String text) {
    if (!hasPrefix(text)) {
      throw new IllegalArgumentException("no 0x before the hexadecimal bytes of a blob");
    }
    return fromHex(text.substring(2), "blob");
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return toHex(value, offset, length);
  }

  @Override
  public String toJson(byte[] value, int offset, int length) {
    return "\"0x" + toHex(value, offset, length) + '"';
  }

  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    return "0x" + toHex(value, offset, length);
  }

  /** Parses hexadecimal text with the prefix, as in CQL and JSON, or without it. */
  @Override
  public byte[] parse(String text) {
    return hasPrefix(text) ? encodeText(text) : fromHex(text, "blob");
  }

  private static boolean hasPrefix(String text) {
    return text.startsWith("0x") || text.startsWith("0X");
  }
}
