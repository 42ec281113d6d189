package io.siltstone.spark.catalog;

import io.siltstone.spark.table.SourceOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The options of a catalog: {@code path}, {@code snapshot}, and those of the data source that hold
 * for all its tables. Immutable, safe for use by all threads.
 */
public final class CatalogOptions {
  private static final String PATH = "path";
  private static final String SNAPSHOT = "snapshot";

  private final String path;
  private final Optional<String> snapshot;
  private final Map<String, String> ofTables;

  /**
   * Checks the options.
   *
   * @param catalog its name, for messages
   * @throws IllegalArgumentException that names an option that is missing, not known or wrong
   */
  public CatalogOptions(String catalog, Map<String, String> options) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(options);
    String prefix = "spark.sql.catalog." + catalog + ".";
    path = Optional.ofNullable(all.remove(PATH)).orElse("");
    snapshot = Optional.ofNullable(all.remove(SNAPSHOT));
    if (path.isBlank()) {
      throw new IllegalArgumentException(
          "option " + prefix + PATH + " is missing, allowed is a directory of keyspaces");
    }
    Set<String> allowed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    allowed.addAll(SourceOptions.namesForAllTables());
    for (String name : all.keySet()) {
      if (!allowed.contains(name)) {
        throw new IllegalArgumentException(
            "a catalog has no option "
                + prefix
                + name
                + ", its options are "
                + List.of(PATH, SNAPSHOT)
                + " and those of all its tables, "
                + allowed);
      }
    }
    ofTables = Map.copyOf(all);
    var unused = ofTable(path);
  }

  /** Returns the directory of keyspaces. */
  public String path() {
    return path;
  }

  /** Returns the tag of the snapshot that the catalog shows, if it is given. */
  public Optional<String> snapshot() {
    return snapshot;
  }

  /** Returns the options of the table in a directory. */
  public SourceOptions ofTable(String directory) {
    Map<String, String> options = new HashMap<>(ofTables);
    options.put(PATH, directory);
    return new SourceOptions(options);
  }
}
