package io.siltstone.type;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Formats names of columns, tables, types and keyspaces in CQL. Source: Cassandra {@code
 * ColumnIdentifier}, {@code reserved_keywords.txt}.
 */
public final class CqlName {
  private static final Pattern UNQUOTED = Pattern.compile("[a-z][a-z0-9_]*");

  private static final Set<String> RESERVED =
      Set.of(
          ("add allow alter and apply asc authorize batch begin by columnfamily"
                  + " create delete desc describe drop entries execute from full grant if in"
                  + " index infinity insert into is keyspace limit materialized modify nan"
                  + " norecursive not null of on or order primary rename revoke schema"
                  + " select set table to token truncate unlogged update use using view"
                  + " where with")
              .split(" "));

  private CqlName() {}

  /** Returns whether CQL has a use of its own for a word, given in lower case. */
  public static boolean isReserved(String word) {
    return RESERVED.contains(word);
  }

  /** Returns the name, between double quotes if CQL would otherwise not read the same name. */
  public static String quoted(String name) {
    return UNQUOTED.matcher(name).matches() && !isReserved(name)
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }
}
