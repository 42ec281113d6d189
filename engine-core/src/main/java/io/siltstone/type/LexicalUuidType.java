package io.siltstone.type;

import io.siltstone.bytes.BigEndian;
import java.util.UUID;

/**
 * A UUID ordered as {@link UUID#compareTo} does, of tables that were made before CQL. Source:
 * Cassandra {@code LexicalUUIDType}.
 */
final class LexicalUuidType extends ScalarType {
  LexicalUuidType() {
    super("LexicalUUIDType", "'" + TypeParser.PACKAGE + "LexicalUUIDType'");
  }

  @Override
  public int fixedLength() {
    return UuidBytes.LENGTH;
  }

  @Override
  public int compare(
      byte[] left, int leftOffset, int leftLength, byte[] right, int rightOffset, int rightLength) {
    if (leftLength != UuidBytes.LENGTH || rightLength != UuidBytes.LENGTH) {
      return Order.unsigned(left, leftOffset, leftLength, right, rightOffset, rightLength);
    }
    int order =
        Long.compare(BigEndian.getLong(left, leftOffset), BigEndian.getLong(right, rightOffset));
    return order != 0
        ? order
        : Long.compare(
            BigEndian.getLong(left, leftOffset + 8), BigEndian.getLong(right, rightOffset + 8));
  }

  @Override
  public void validate(byte[] value, int offset, int length) {
    if (length != 0 && length != UuidBytes.LENGTH) {
      throw wrongLength(length, "0 or 16");
    }
  }

  @Override
  Object decodeValid(byte[] value, int offset, int length) {
    return UuidBytes.get(value, offset);
  }

  @Override
  byte[] encodeObject(Object value) {
    if (value instanceof UUID uuid) {
      return UuidBytes.of(uuid);
    }
    throw refused(value, "UUID");
  }

  @Override
  String text(byte[] value, int offset, int length) {
    return UuidBytes.get(value, offset).toString();
  }

  /** CQL writes values of types it has no name for as blobs. */
  @Override
  public String toCqlLiteral(byte[] value, int offset, int length) {
    validate(value, offset, length);
    return "0x" + toHex(value, offset, length);
  }

  @Override
  byte[] encodeText(String text) {
    if (!text.startsWith("0x")) {
      return super.encodeText(text);
    }
    byte[] bytes = fromHex(text.substring(2), cqlName());
    validate(bytes, 0, bytes.length);
    return bytes;
  }

  @Override
  public byte[] parse(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    if (!UuidBytes.isText(text)) {
      throw noValue(text);
    }
    return UuidBytes.of(UUID.fromString(text));
  }
}
