package io.siltstone.type;

import java.util.List;
import java.util.StringJoiner;

/**
 * Class names of types with parameters. A type that could have several cells and has not is wrapped
 * in {@code FrozenType}, but not within another such. Source: Cassandra {@code TypeParser}.
 */
final class ClassNames {
  private static final String FROZEN = TypeParser.PACKAGE + "FrozenType";

  private ClassNames() {}

  /** As parameters of a type that is not frozen. */
  static String of(String simpleName, List<CqlType> parameters) {
    StringJoiner joiner = new StringJoiner(",", TypeParser.PACKAGE + simpleName + '(', ")");
    parameters.forEach(type -> joiner.add(type.className()));
    return joiner.toString();
  }

  /** As parameters of a type that is frozen. */
  static String withinFrozen(String simpleName, List<CqlType> parameters) {
    StringJoiner joiner = new StringJoiner(",", TypeParser.PACKAGE + simpleName + '(', ")");
    parameters.forEach(type -> joiner.add(type.classNameWithinFrozen()));
    return joiner.toString();
  }

  static String frozen(String className) {
    return FROZEN + '(' + className + ')';
  }
}
