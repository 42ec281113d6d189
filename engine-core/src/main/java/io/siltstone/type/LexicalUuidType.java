package io.siltstone.type;

import java.util.UUID;

/**
 * A UUID ordered as {@link UUID#compareTo} does, of tables that were made before CQL. Source:
 * Cassandra {@code LexicalUUIDType}.
 */
final class LexicalUuidType extends UuidBasedType {
  LexicalUuidType() {
    super("LexicalUUIDType", "'" + TypeParser.PACKAGE + "LexicalUUIDType'");
  }

  @Override
  int compareHalves(long leftFirst, long leftLast, long rightFirst, long rightLast) {
    int order = Long.compare(leftFirst, rightFirst);
    return order != 0 ? order : Long.compare(leftLast, rightLast);
  }

  /** Returns a blob, the form in which CQL writes values of types that it has no name for. */
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
}
