package io.siltstone.model;

import io.siltstone.schema.Column;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of the types that sequences use: numbers, ASCII text, and collections of them. */
final class Values {
  private Values() {}

  /** The order of two numbers, or of two texts. */
  static int compare(Object left, Object right) {
    return left instanceof Integer number
        ? number.compareTo((Integer) right)
        : ((String) left).compareTo((String) right);
  }

  /** As CQL writes it. */
  static String literal(Column column, @Nullable Object value) {
    if (value == null) {
      return "null";
    }
    byte[] bytes = column.valueType().encode(value);
    return column.valueType().frozen().toCqlLiteral(bytes, 0, bytes.length);
  }

  /**
   * A value in a form in which equal ones are equal and their order is seen: sets and maps are
   * lists.
   */
  static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Collection<?> all) {
      List<@Nullable Object> list = new ArrayList<>();
      all.forEach(element -> list.add(plain(element)));
      return list;
    }
    if (value instanceof Map<?, ?> map) {
      List<@Nullable Object> list = new ArrayList<>();
      map.forEach((key, element) -> list.add(plain(key) + ": " + plain(element)));
      return list;
    }
    return value;
  }
}
