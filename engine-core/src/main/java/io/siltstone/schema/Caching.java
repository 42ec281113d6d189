package io.siltstone.schema;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The {@code caching} option of a table. Source: Cassandra {@code CachingParams}.
 *
 * @param keys whether positions of partitions are cached
 * @param rowsPerPartition how many rows of a partition are cached, {@link Integer#MAX_VALUE} for
 *     all
 */
public record Caching(boolean keys, int rowsPerPartition) {
  /** The default of Cassandra: keys, no rows. */
  public static final Caching DEFAULT = new Caching(true, 0);

  private static final String KEYS = "keys";
  private static final String ROWS = "rows_per_partition";

  /** Checks the range. */
  public Caching {
    if (rowsPerPartition < 0) {
      throw new IllegalArgumentException(
          "caching: " + ROWS + " = " + rowsPerPartition + ", allowed 0 to " + Integer.MAX_VALUE);
    }
  }

  /** Parses the option map; errors are added to the problems. */
  static Caching fromMap(Map<String, String> map, List<String> problems) {
    Map<String, String> rest = new TreeMap<>(map);
    String keys = rest.remove(KEYS);
    String rows = rest.remove(ROWS);
    for (String name : rest.keySet()) {
      problems.add("caching: unknown option " + name + ", allowed " + KEYS + ", " + ROWS);
    }
    boolean cacheKeys = false;
    if (keys != null) {
      cacheKeys = keys.equalsIgnoreCase("all");
      if (!cacheKeys && !keys.equalsIgnoreCase("none")) {
        problems.add("caching: " + KEYS + " = " + keys + ", allowed ALL, NONE");
      }
    }
    return new Caching(cacheKeys, rows == null ? 0 : rows(rows, problems));
  }

  private static int rows(String rows, List<String> problems) {
    return switch (rows.toUpperCase(Locale.ROOT)) {
      case "ALL" -> Integer.MAX_VALUE;
      case "NONE" -> 0;
      default -> number(rows, problems);
    };
  }

  private static int number(String rows, List<String> problems) {
    try {
      int count = Integer.parseInt(rows);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Reported below, like any other invalid value.
    }
    problems.add("caching: " + ROWS + " = " + rows + ", allowed ALL, NONE, a number from 0");
    return 0;
  }

  /** Returns the option map that reads back to this. */
  public Map<String, String> toMap() {
    Map<String, String> map = new TreeMap<>();
    map.put(KEYS, keys ? "ALL" : "NONE");
    map.put(
        ROWS,
        rowsPerPartition == 0
            ? "NONE"
            : rowsPerPartition == Integer.MAX_VALUE ? "ALL" : Integer.toString(rowsPerPartition));
    return map;
  }
}
