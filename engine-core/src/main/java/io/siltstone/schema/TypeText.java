package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import io.siltstone.type.TypeKind;
import io.siltstone.type.UserType;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Formats a type for {@code CREATE TABLE}: types without a CQL name are written by their class
 * name. Source: Cassandra {@code CQL3Type}.
 */
final class TypeText {
  private TypeText() {}

  static String of(CqlType type) {
    return switch (type.kind()) {
      case SCALAR -> scalar(type);
      case LIST -> frozen(type, "list<" + parts(type) + '>');
      case SET -> frozen(type, "set<" + parts(type) + '>');
      case MAP -> frozen(type, "map<" + parts(type) + '>');
      case TUPLE -> frozen(type, "tuple<" + parts(type) + '>');
      case USER -> frozen(type, CqlName.quoted(((UserType) type).name()));
      case VECTOR -> "vector<" + parts(type) + ", " + dimension(type) + '>';
      case COMPOSITE -> Names.string(type.className());
      case REVERSED -> of(type.elementTypes().get(0));
    };
  }

  private static String scalar(CqlType type) {
    boolean word =
        !type.equals(CqlTypes.EMPTY)
            && CqlTypes.byName(type.cqlName()).filter(type::equals).isPresent();
    return word ? type.cqlName() : Names.string(type.className());
  }

  private static String frozen(CqlType type, String text) {
    return type.isMultiCell() ? text : "frozen<" + text + '>';
  }

  private static String parts(CqlType type) {
    StringJoiner joiner = new StringJoiner(", ");
    type.elementTypes().forEach(part -> joiner.add(of(part)));
    return joiner.toString();
  }

  /** Returns the dimension of a vector, which only the end of its name contains. */
  static int dimension(CqlType vector) {
    String name = vector.cqlName();
    return Integer.parseInt(name.substring(name.lastIndexOf(' ') + 1, name.length() - 1));
  }

  /**
   * Returns whether CQL reads an unquoted name as something other than a user type. It does not
   * know {@code empty}.
   */
  static boolean isTaken(String name) {
    boolean needsQuotes = !name.equals(name.toLowerCase(Locale.ROOT));
    boolean isWord = CqlTypes.byName(name).filter(type -> !type.equals(CqlTypes.EMPTY)).isPresent();
    return (!needsQuotes && isWord) || name.equals("set");
  }

  /** Returns whether {@code frozen<>} may be around the type. */
  static boolean canBeFrozen(CqlType type) {
    TypeKind kind = type.kind();
    return kind != TypeKind.SCALAR && kind != TypeKind.COMPOSITE && kind != TypeKind.REVERSED;
  }
}
