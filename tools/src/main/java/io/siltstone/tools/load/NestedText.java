package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.List;

/** Base of the formatters of values: walks through the elements of nested values. */
abstract class NestedText implements ValueText {

  @Override
  public void append(CqlType type, byte[] value, int offset, int length, StringBuilder out) {
    switch (type.kind()) {
      case SCALAR, COMPOSITE -> appendScalar(type, value, offset, length, out);
      case REVERSED -> append(type.unreversed(), value, offset, length, out);
      default -> {
        type.validate(value, offset, length);
        String brackets = brackets(type.kind());
        out.append(brackets.charAt(0));
        switch (type.kind()) {
          case LIST, SET -> sequence(type.elementTypes().get(0), value, offset, out);
          case MAP -> map(type.elementTypes(), value, offset, out);
          case TUPLE -> tuple(type.elementTypes(), value, offset, length, out);
          case USER -> userType((UserType) type, value, offset, length, out);
          case VECTOR -> vector(type.elementTypes().get(0), value, offset, length, out);
          default -> throw new AssertionError(type.kind());
        }
        out.append(brackets.charAt(1));
      }
    }
  }

  /** Appends a value without elements. */
  abstract void appendScalar(CqlType type, byte[] value, int offset, int length, StringBuilder out);

  /** Appends a key of a map. */
  abstract void appendKey(CqlType type, byte[] value, int offset, int length, StringBuilder out);

  /** Appends the name of a field of a user-defined type. */
  abstract void appendName(UserType.Field field, StringBuilder out);

  /** Returns the opening and the closing bracket around the elements. */
  abstract String brackets(TypeKind kind);

  private void sequence(CqlType element, byte[] value, int offset, StringBuilder out) {
    int at = offset + Integer.BYTES;
    for (int i = BigEndian.getInt(value, offset); i > 0; i--) {
      int part = BigEndian.getInt(value, at);
      append(element, value, at + Integer.BYTES, part, out);
      at += Integer.BYTES + part;
      out.append(i > 1 ? ", " : "");
    }
  }

  private void map(List<CqlType> types, byte[] value, int offset, StringBuilder out) {
    int at = offset + Integer.BYTES;
    for (int i = BigEndian.getInt(value, offset); i > 0; i--) {
      int part = BigEndian.getInt(value, at);
      appendKey(types.get(0), value, at + Integer.BYTES, part, out);
      at += Integer.BYTES + part;
      out.append(": ");
      part = BigEndian.getInt(value, at);
      append(types.get(1), value, at + Integer.BYTES, part, out);
      at += Integer.BYTES + part;
      out.append(i > 1 ? ", " : "");
    }
  }

  private void tuple(List<CqlType> types, byte[] value, int offset, int length, StringBuilder out) {
    int at = offset;
    for (int i = 0; at < offset + length; i++) {
      out.append(i == 0 ? "" : ", ");
      at = field(types.get(i), value, at, out);
    }
  }

  private void userType(UserType type, byte[] value, int offset, int length, StringBuilder out) {
    int at = offset;
    for (int i = 0; i < type.fields().size(); i++) {
      out.append(i == 0 ? "" : ", ");
      appendName(type.fields().get(i), out);
      out.append(": ");
      if (at < offset + length) {
        at = field(type.fields().get(i).type(), value, at, out);
      } else {
        out.append("null");
      }
    }
  }

  /** Appends a field with its length before it; returns the index after it. */
  private int field(CqlType type, byte[] value, int at, StringBuilder out) {
    int length = BigEndian.getInt(value, at);
    if (length < 0) {
      out.append("null");
      return at + Integer.BYTES;
    }
    append(type, value, at + Integer.BYTES, length, out);
    return at + Integer.BYTES + length;
  }

  private void vector(CqlType element, byte[] value, int offset, int length, StringBuilder out) {
    int at = offset;
    while (at < offset + length) {
      out.append(at == offset ? "" : ", ");
      int part = element.fixedLength();
      if (part == CqlType.VARIABLE_LENGTH) {
        part = (int) Vint.read(value, at);
        at += Vint.lengthFrom(value[at]);
      }
      append(element, value, at, part, out);
      at += part;
    }
  }
}
