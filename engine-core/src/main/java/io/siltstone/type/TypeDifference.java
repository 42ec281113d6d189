package io.siltstone.type;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Describes how types differ whose CQL names may be the same: the names of user types do not
 * contain their fields.
 */
final class TypeDifference {
  private TypeDifference() {}

  /**
   * Returns the fields in which user types of the same name differ, each as the end of a sentence;
   * empty if there are none.
   *
   * @param found types of a file
   * @param expected types of the schema
   */
  static String ofFields(List<CqlType> found, List<CqlType> expected) {
    Map<String, UserType> before = userTypes(found);
    StringBuilder text = new StringBuilder();
    userTypes(expected)
        .forEach(
            (name, now) -> {
              UserType then = before.get(name);
              String fields = then == null ? "" : fields(then, now);
              if (!fields.isEmpty()) {
                text.append("; user type ").append(name).append(" has ").append(fields);
              }
            });
    return text.toString();
  }

  private static String fields(UserType found, UserType expected) {
    StringJoiner differences = new StringJoiner(", ");
    int count = Math.max(found.fields().size(), expected.fields().size());
    for (int i = 0; i < count; i++) {
      String is = field(found, i);
      String allowed = field(expected, i);
      if (!is.equals(allowed)) {
        differences.add("field " + (i + 1) + " " + is + ", allowed " + allowed);
      }
    }
    return differences.toString();
  }

  private static String field(UserType type, int index) {
    if (index >= type.fields().size()) {
      return "missing";
    }
    UserType.Field field = type.fields().get(index);
    return "'" + CqlName.quoted(field.name()) + " " + field.type().cqlName() + "'";
  }

  private static Map<String, UserType> userTypes(List<CqlType> types) {
    Map<String, UserType> all = new LinkedHashMap<>();
    types.forEach(type -> collect(type, all));
    return all;
  }

  private static void collect(CqlType type, Map<String, UserType> into) {
    if (type.isReversed()) {
      collect(type.unreversed(), into);
      return;
    }
    if (type instanceof UserType user) {
      into.putIfAbsent(CqlName.quoted(user.name()), user);
    }
    type.elementTypes().forEach(part -> collect(part, into));
  }
}
