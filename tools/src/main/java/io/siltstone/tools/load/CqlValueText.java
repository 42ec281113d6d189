package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;

/**
 * Formats values as CQL literals, except for what these would lose: an element that is the empty
 * value is an empty text, and scalars are formatted by {@link RoundTripText}.
 */
final class CqlValueText extends NestedText {

  @Override
  void appendScalar(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    if (length == 0 && !type.equals(CqlTypes.BLOB)) {
      out.append("''");
      return;
    }
    String exact = RoundTripText.of(type, value, offset, length, "'");
    out.append(exact != null ? exact : type.toCqlLiteral(value, offset, length));
  }

  @Override
  void appendKey(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    append(type, value, offset, length, out);
  }

  @Override
  void appendName(UserType.Field field, StringBuilder out) {
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
