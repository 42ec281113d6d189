package io.siltstone.liveset;

import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import java.util.Optional;

/** Whether a foreign SSTable may become part of a table. */
final class TableCheck {
  private TableCheck() {}

  /**
   * Compares partitioner, keys and columns.
   *
   * @throws IllegalArgumentException naming the file, what it has and what would be allowed
   */
  static void check(SSTable table, TableSchema schema, Partitioner partitioner) {
    SerializationHeader header = table.header();
    require(table, "partitioner", table.partitioner(), partitioner);
    require(table, "partition key", header.keyType(), schema.keyType());
    require(table, "clustering columns", header.clusteringTypes(), schema.clusteringTypes());
    header.staticColumns().forEach(column -> check(table, schema, column, ColumnKind.STATIC));
    header.regularColumns().forEach(column -> check(table, schema, column, ColumnKind.REGULAR));
  }

  private static void check(
      SSTable table, TableSchema schema, HeaderColumn found, ColumnKind kind) {
    Optional<Column> column = schema.column(found.name());
    if (column.isEmpty() && schema.droppedColumn(found.name()).isPresent()) {
      return;
    }
    if (column.isEmpty()) {
      throw new IllegalArgumentException(
          table
              + " has a "
              + kind.name().toLowerCase(java.util.Locale.ROOT)
              + " column "
              + found.name()
              + ", which "
              + schema.keyspace()
              + "."
              + schema.name()
              + " has not");
    }
    require(table, "kind of column " + found.name(), kind, column.get().kind());
    require(table, "type of column " + found.name(), found.type(), column.get().type());
  }

  private static void require(SSTable table, String what, Object found, Object expected) {
    if (!found.equals(expected)) {
      throw new IllegalArgumentException(
          table + ": " + what + " is " + found + ", allowed " + expected);
    }
  }
}
