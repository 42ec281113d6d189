package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;

/** Formats values as CSV fields: scalars without CQL's quotes, other values as CQL literals. */
final class CsvValueText implements ValueText {
  private final ValueText literals = new CqlValueText();

  @Override
  public void append(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    CsvText.appendField(text(type.unreversed(), value, offset, length), out);
  }

  private String text(CqlType type, byte[] value, int offset, int length) {
    if (ValueCodec.isText(type)) {
      // Strict decoding: a replaced character would be read back as another value.
      return String.valueOf(type.decode(value, offset, length));
    }
    if (type.kind() != TypeKind.SCALAR) {
      StringBuilder literal = new StringBuilder();
      literals.append(type, value, offset, length, literal);
      return literal.toString();
    }
    if (type.isCounter()) {
      return String.valueOf(type.decode(value, offset, length));
    }
    if (length == 0) {
      return type.equals(CqlTypes.BLOB) ? "0x" : "";
    }
    String exact = RoundTripText.of(type, value, offset, length, "");
    if (exact != null) {
      return exact;
    }
    String literal = type.toCqlLiteral(value, offset, length);
    return literal.startsWith("'")
        ? literal.substring(1, literal.length() - 1).replace("''", "'")
        : literal;
  }
}
