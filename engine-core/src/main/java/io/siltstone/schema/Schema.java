package io.siltstone.schema;

import io.siltstone.type.UserType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The definitions in a CQL text. Immutable.
 *
 * @param tables in the order of the text
 * @param ifMissing tables that are created only if no table has their name: {@code IF NOT EXISTS}
 * @param userTypes in the order of the text, used or not
 * @param warnings one for each skipped part, beginning with its place in the text
 */
public record Schema(
    List<TableSchema> tables,
    List<TableSchema> ifMissing,
    List<UserType> userTypes,
    List<String> warnings) {
  /** Copies the lists. */
  public Schema {
    tables = List.copyOf(tables);
    ifMissing = List.copyOf(ifMissing);
    userTypes = List.copyOf(userTypes);
    warnings = List.copyOf(warnings);
  }

  /** Returns the table with these names, without quotes. */
  public Optional<TableSchema> table(String keyspace, String name) {
    return tables.stream()
        .filter(table -> table.keyspace().equals(keyspace) && table.name().equals(name))
        .findFirst();
  }

  /**
   * Returns the table with this name in any keyspace.
   *
   * @throws IllegalStateException if several keyspaces have one
   */
  public Optional<TableSchema> table(String name) {
    List<TableSchema> found = tables.stream().filter(table -> table.name().equals(name)).toList();
    if (found.size() > 1) {
      throw new IllegalStateException(found.size() + " keyspaces have a table " + name);
    }
    return found.stream().findFirst();
  }

  /**
   * Returns the one table, as of a {@code schema.cql} beside its files.
   *
   * @throws IllegalStateException if there is none or more than one
   */
  public TableSchema onlyTable() {
    if (tables.isEmpty()) {
      throw new IllegalStateException(
          "there is no CREATE TABLE statement, expected one"
              + (warnings.isEmpty() ? "" : "; " + warnings.get(0)));
    }
    if (tables.size() > 1) {
      throw new IllegalStateException(
          "there are CREATE TABLE statements for "
              + tables.stream()
                  .map(table -> table.keyspace() + "." + table.name())
                  .collect(Collectors.joining(", "))
              + "; expected one");
    }
    return tables.get(0);
  }
}
