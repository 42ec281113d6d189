package io.siltstone.spark.table;

import io.siltstone.schema.TableSchema;
import io.siltstone.spark.types.CqlColumns;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Makes the definition of a table for a data frame, of which options say what the primary key is.
 */
final class NewTable {
  private static final String DESCENDING = " desc";
  private static final String ASCENDING = " asc";

  private NewTable() {}

  /**
   * Returns the definition.
   *
   * @throws IllegalArgumentException if the options do not fit the data frame; the message names
   *     the column
   */
  static TableSchema of(SourceOptions options, StructType rows) {
    StructType columns = new StructType();
    for (StructField field : rows.fields()) {
      if (!options.isColumnOfOption(field.name())) {
        columns = columns.add(field);
      }
    }
    String[] name = options.table().split("\\.", -1);
    if (name.length != 2) {
      throw new IllegalArgumentException(
          "option table is '"
              + options.table()
              + "', allowed keyspace and name with a dot between");
    }
    return of(name[0], name[1], options, columns);
  }

  /** Returns the definition of a table of a name; otherwise as {@link #of}. */
  static TableSchema of(String keyspace, String name, SourceOptions options, StructType rows) {
    Map<String, CqlType> columns = new LinkedHashMap<>();
    for (StructField field : rows.fields()) {
      columns.put(field.name(), CqlColumns.of(field.name(), field.dataType()));
    }
    TableSchema.Builder table = TableSchema.builder(keyspace, name);
    for (String column : options.partitionKey()) {
      table.partitionKey(column, take(columns, column, SourceOptions.PARTITION_KEY));
    }
    for (String text : options.clusteringKey()) {
      boolean isDescending = text.toLowerCase(Locale.ROOT).endsWith(DESCENDING);
      boolean isAscending = text.toLowerCase(Locale.ROOT).endsWith(ASCENDING);
      String column =
          isDescending || isAscending ? text.substring(0, text.lastIndexOf(' ')).strip() : text;
      CqlType type = take(columns, column, SourceOptions.CLUSTERING_KEY);
      table.clustering(column, isDescending ? CqlTypes.reversed(type) : type);
    }
    columns.forEach(table::regular);
    return table.build();
  }

  private static CqlType take(Map<String, CqlType> columns, String name, String option) {
    CqlType type = columns.remove(name);
    if (type == null) {
      throw new IllegalArgumentException(
          "option " + option + " names '" + name + "', which is no column, or is named twice");
    }
    return type.frozen();
  }
}
