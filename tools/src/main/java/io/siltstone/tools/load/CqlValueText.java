package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserTypeField;

/**
 * Values with parts as CQL's literals, but for what those lose: a part that is the empty value is
 * an empty text, and what {@link ExactText} has another form for.
 */
final class CqlValueText extends NestedText {

  @Override
  void appendScalar(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    if (length == 0 && !type.equals(CqlTypes.BLOB)) {
      out.append("''");
      return;
    }
    String exact = ExactText.of(type, value, offset, length, "'");
    out.append(exact != null ? exact : type.toCqlLiteral(value, offset, length));
  }

  @Override
  void appendKey(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    append(type, value, offset, length, out);
  }

  @Override
  void appendName(UserTypeField field, StringBuilder out) {
    out.append(field.cqlName());
  }

  @Override
  String brackets(TypeKind kind) {
    return switch (kind) {
      case SET, MAP, USER -> "{}";
      case TUPLE -> "()";
      default -> "[]";
    };
  }
}
