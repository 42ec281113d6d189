package io.siltstone.schema;

import io.siltstone.type.CqlName;
import io.siltstone.type.UserType;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * Writes a table as CQL text, in the form of a Cassandra snapshot's {@code schema.cql}. The text
 * reads back to an equal table. Source: Cassandra {@code SchemaCQLHelper}.
 */
final class SchemaFormatter {
  private SchemaFormatter() {}

  /** Returns the table's user types, each after those it uses, and the table. */
  static String format(TableSchema table) {
    StringBuilder text = new StringBuilder();
    for (UserType type : table.userTypes()) {
      text.append(formatType(type)).append("\n\n");
    }
    return text.append(formatTable(table)).append('\n').toString();
  }

  /** Appends {@code CREATE TYPE}. */
  static String formatType(UserType type) {
    StringJoiner fields = new StringJoiner(",\n", "(\n", "\n);");
    for (UserType.Field field : type.fields()) {
      fields.add("    " + CqlName.quoted(field.name()) + ' ' + TypeText.of(field.type()));
    }
    return "CREATE TYPE IF NOT EXISTS " + name(type.keyspace(), type.name()) + ' ' + fields;
  }

  /** {@code CREATE TABLE} without user types, and {@code ALTER TABLE} for dropped columns. */
  static String formatTable(TableSchema table) {
    String name = name(table.keyspace(), table.name());
    StringJoiner body = new StringJoiner(",\n    ", "(\n    ", "\n)");
    boolean simpleKey =
        table.partitionKeyColumns().size() == 1 && table.clusteringColumns().isEmpty();
    Stream.of(
            table.partitionKeyColumns(),
            table.clusteringColumns(),
            table.staticColumns(),
            table.regularColumns())
        .flatMap(List::stream)
        // One that was dropped and added again is added again below.
        .filter(column -> table.droppedColumn(column.name()).isEmpty())
        .forEach(
            column ->
                body.add(
                    definition(column)
                        + (simpleKey && column.isPrimaryKey() ? " PRIMARY KEY" : "")));
    table.droppedColumns().forEach(dropped -> body.add(definition(dropped.column())));
    if (!simpleKey) {
      body.add(primaryKey(table));
    }
    StringBuilder text = new StringBuilder("CREATE TABLE IF NOT EXISTS ");
    text.append(name).append(' ').append(body).append(" WITH ").append(options(table)).append(';');
    for (DroppedColumn dropped : table.droppedColumns()) {
      String column = dropped.column().name();
      text.append("\nALTER TABLE ").append(name).append(" DROP ").append(CqlName.quoted(column));
      text.append(" USING TIMESTAMP ").append(dropped.droppedAtMicros()).append(';');
      table
          .column(column)
          .ifPresent(
              again ->
                  text.append("\nALTER TABLE ")
                      .append(name)
                      .append(" ADD ")
                      .append(definition(again))
                      .append(';'));
    }
    return text.toString();
  }

  /** See {@link TableSchema#cqlName}. */
  static String name(String keyspace, String name) {
    return CqlName.quoted(keyspace) + '.' + CqlName.quoted(name);
  }

  private static String definition(Column column) {
    return CqlName.quoted(column.name())
        + ' '
        + TypeText.of(column.type())
        + (column.kind() == ColumnKind.STATIC ? " static" : "");
  }

  private static String primaryKey(TableSchema table) {
    StringJoiner partition = new StringJoiner(", ");
    table.partitionKeyColumns().forEach(column -> partition.add(CqlName.quoted(column.name())));
    StringJoiner key = new StringJoiner(", ", "PRIMARY KEY (", ")");
    key.add(table.partitionKeyColumns().size() == 1 ? partition.toString() : "(" + partition + ")");
    table.clusteringColumns().forEach(column -> key.add(CqlName.quoted(column.name())));
    return key.toString();
  }

  private static String options(TableSchema table) {
    List<String> options = new ArrayList<>();
    table.id().ifPresent(id -> options.add("ID = " + id));
    if (!table.clusteringColumns().isEmpty()) {
      StringJoiner order = new StringJoiner(", ", "CLUSTERING ORDER BY (", ")");
      for (Column column : table.clusteringColumns()) {
        order.add(CqlName.quoted(column.name()) + (column.isDescending() ? " DESC" : " ASC"));
      }
      options.add(order.toString());
    }
    table.options().toCql().forEach((name, value) -> options.add(name + " = " + value));
    return String.join("\n    AND ", options);
  }
}
