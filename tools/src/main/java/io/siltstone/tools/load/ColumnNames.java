package io.siltstone.tools.load;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds columns or fields by their names in a text, by CQL's rule for JSON: a quoted name is taken
 * literally, another one is converted to lower case; if no column has that name, it is taken
 * literally too. Immutable.
 */
final class ColumnNames {
  private final List<String> names;
  private final Map<String, Integer> indexes = new HashMap<>();

  ColumnNames(List<String> names) {
    this.names = List.copyOf(names);
    for (int i = 0; i < names.size(); i++) {
      indexes.put(names.get(i), i);
    }
  }

  /** Returns the index of a name, -1 if there is none. */
  int indexOf(String text) {
    if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
      // As in Cassandra, quotes within the name are not doubled.
      return indexes.getOrDefault(text.substring(1, text.length() - 1), -1);
    }
    Integer index = indexes.get(text.toLowerCase(Locale.ROOT));
    return index != null ? index : indexes.getOrDefault(text, -1);
  }

  /** Returns a text in which {@link #indexOf} finds the name. */
  static String toText(String name) {
    return name.equals(name.toLowerCase(Locale.ROOT)) && !name.startsWith("\"")
        ? name
        : '"' + name + '"';
  }

  /** Returns all names. */
  @Override
  public String toString() {
    return String.join(", ", names);
  }
}
