package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import java.nio.charset.StandardCharsets;

/**
 * Values as fields of CSV: scalars without the quotes that CQL would have, the rest as CQL's
 * literals; between CSV's quotes where the text needs them, and where it is empty.
 */
final class CsvValueText implements ValueText {

  @Override
  public void append(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    appendField(text(type.unreversed(), value, offset, length), out);
  }

  private static String text(CqlType type, byte[] value, int offset, int length) {
    if (ValueCodec.isText(type)) {
      type.validate(value, offset, length);
      return new String(value, offset, length, StandardCharsets.UTF_8);
    }
    if (type.kind() != TypeKind.SCALAR) {
      return type.toCqlLiteral(value, offset, length);
    }
    if (type.isCounter()) {
      return String.valueOf(type.decode(value, offset, length));
    }
    if (length == 0) {
      return type.equals(CqlTypes.BLOB) ? "0x" : "";
    }
    String literal = type.toCqlLiteral(value, offset, length);
    return literal.startsWith("'")
        ? literal.substring(1, literal.length() - 1).replace("''", "'")
        : literal;
  }

  /** Appends a text as a field. */
  static void appendField(String text, StringBuilder out) {
    boolean plain = !text.isEmpty();
    for (int i = 0; i < text.length() && plain; i++) {
      char c = text.charAt(i);
      plain = c != '"' && c != ',' && c != '\n' && c != '\r';
    }
    if (plain) {
      out.append(text);
    } else {
      out.append('"').append(text.replace("\"", "\"\"")).append('"');
    }
  }
}
