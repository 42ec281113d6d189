package io.siltstone.tools.dump;

import io.siltstone.cursor.HeaderColumn;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names of columns as CQL writes them: quoted where they need it.
 *
 * <p>Source: Cassandra {@code ColumnIdentifier}, {@code reserved_keywords.txt}.
 */
final class ColumnNames {
  private static final Pattern PLAIN = Pattern.compile("[a-z][a-z0-9_]*");

  private static final Set<String> RESERVED =
      Set.of(
          ("ADD ALLOW ALTER AND APPLY ASC AUTHORIZE BATCH BEGIN BY COLUMNFAMILY CREATE DELETE DESC "
                  + "DESCRIBE DROP ENTRIES EXECUTE FROM FULL GRANT IF IN INDEX INFINITY INSERT INTO "
                  + "IS KEYSPACE LIMIT MATERIALIZED MODIFY NAN NORECURSIVE NOT NULL OF ON OR ORDER "
                  + "PRIMARY RENAME REVOKE SCHEMA SELECT SET TABLE TO TOKEN TRUNCATE UNLOGGED UPDATE "
                  + "USE USING VIEW WHERE WITH")
              .split(" "));

  private final List<String> statics;
  private final List<String> regulars;

  /** Of the columns of a header. */
  ColumnNames(List<HeaderColumn> statics, List<HeaderColumn> regulars) {
    this.statics = statics.stream().map(column -> quoted(column.name())).toList();
    this.regulars = regulars.stream().map(column -> quoted(column.name())).toList();
  }

  /** Name of a column of static or regular rows. */
  String of(boolean isStatic, int index) {
    return (isStatic ? statics : regulars).get(index);
  }

  /** The name, in quotes unless CQL can do without. */
  static String quoted(String name) {
    return PLAIN.matcher(name).matches() && !RESERVED.contains(name.toUpperCase(Locale.ROOT))
        ? name
        : '"' + name.replace("\"", "\"\"") + '"';
  }
}
