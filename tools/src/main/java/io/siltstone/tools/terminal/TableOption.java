package io.siltstone.tools.terminal;

import io.siltstone.schema.TableSchema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --table}, which chooses one of several tables. */
public final class TableOption {
  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "The table, with or without keyspace, if there are several.")
  private @Nullable String table;

  /**
   * Returns the table that is chosen.
   *
   * @param where place of the tables, for the message
   * @throws UsageException if there are several and none is chosen, or if there are none
   */
  public <T> T only(String where, List<T> all, Function<T, TableSchema> schema) {
    List<T> found = all.stream().filter(each -> isMeant(schema.apply(each))).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    List<String> names = all.stream().map(each -> name(schema.apply(each))).toList();
    throw new UsageException(
        where
            + (names.isEmpty()
                ? " has no tables"
                : table == null
                    ? " has several tables, choose one with --table: " + String.join(", ", names)
                    : " has no table '" + table + "', allowed for --table: " + names));
  }

  private boolean isMeant(TableSchema schema) {
    return table == null || table.equals(schema.name()) || table.equals(name(schema));
  }

  static String name(TableSchema schema) {
    return schema.keyspace() + "." + schema.name();
  }
}
