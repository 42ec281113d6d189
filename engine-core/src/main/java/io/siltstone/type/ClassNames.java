package io.siltstone.type;

import java.util.List;
import java.util.StringJoiner;

/**
 * Formats class names of types with parameters. A frozen collection or user type is wrapped in
 * {@code FrozenType}, but not within another one. Source: Cassandra {@code TypeParser}.
 */
final class ClassNames {
  private static final String FROZEN = TypeParser.PACKAGE + "FrozenType";

  private ClassNames() {}

  /** Returns class names as parameters of a type that is not frozen. */
  static String of(String simpleName, List<CqlType> parameters) {
    StringJoiner joiner = new StringJoiner(",", TypeParser.PACKAGE + simpleName + '(', ")");
    parameters.forEach(type -> joiner.add(type.className()));
    return joiner.toString();
  }

  /** Returns class names as parameters of a frozen type. */
  static String withinFrozen(String simpleName, List<CqlType> parameters) {
    StringJoiner joiner = new StringJoiner(",", TypeParser.PACKAGE + simpleName + '(', ")");
    parameters.forEach(type -> joiner.add(type.classNameWithinFrozen()));
    return joiner.toString();
  }

  static String frozen(String className) {
    return FROZEN + '(' + className + ')';
  }
}
