package io.siltstone.type;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names as CQL writes them. Source: Cassandra {@code ColumnIdentifier}, {@code ReservedKeywords}.
 */
final class CqlText {
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

  private CqlText() {}

  /** The name, between quotes if CQL would otherwise not read the same name. */
  static String identifier(String name) {
    return UNQUOTED.matcher(name).matches() && !RESERVED.contains(name)
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }
}
