package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserTypeField;

/**
 * Values with parts as CQL's literals, but for what those lose: a part that is the empty value is
 * an empty text.
 */
final class CqlValueText extends NestedText {

  @Override
  void appendScalar(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    boolean isEmpty = length == 0 && !type.equals(CqlTypes.BLOB);
    out.append(isEmpty ? "''" : type.toCqlLiteral(value, offset, length));
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
