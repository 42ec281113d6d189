package io.siltstone.spark.table;

import io.siltstone.schema.TableSchema;
import io.siltstone.spark.types.TableColumns;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The properties of a table of a catalog, as {@code TBLPROPERTIES} gives them: {@code partitionKey}
 * and {@code clusteringKey}, or {@code schema}.
 */
public final class TableProperties {
  private static final String PROVIDER = "sstable";
  private static final List<String> ALLOWED =
      List.of(
          SourceOptions.PARTITION_KEY,
          SourceOptions.CLUSTERING_KEY,
          SourceOptions.SCHEMA,
          TableCatalog.PROP_COMMENT);

  private TableProperties() {}

  /**
   * Returns the definition of a new table.
   *
   * @param rows its columns; none if the property {@code schema} has them
   * @param areNumbersText whether varint and decimal are strings
   * @throws IllegalArgumentException if properties are wrong or do not fit; the message names the
   *     property
   */
  public static TableSchema define(
      String keyspace,
      String name,
      StructType rows,
      Map<String, String> properties,
      boolean areNumbersText) {
    Map<String, String> options = new HashMap<>();
    options.put(SourceOptions.NUMBERS_AS_TEXT, Boolean.toString(areNumbersText));
    String comment = "";
    for (Map.Entry<String, String> property : properties.entrySet()) {
      String key = property.getKey();
      switch (key.toLowerCase(Locale.ROOT)) {
        case "partitionkey", "clusteringkey", "schema" -> options.put(key, property.getValue());
        case TableCatalog.PROP_COMMENT -> comment = property.getValue();
        case TableCatalog.PROP_OWNER -> {
          // Spark adds it to each table.
        }
        case TableCatalog.PROP_PROVIDER -> requireProvider(property.getValue());
        default ->
            throw new IllegalArgumentException(
                "a table has no property '" + key + "', its properties are " + ALLOWED);
      }
    }
    // The path plays no role here.
    options.put("path", name);
    TableSchema schema = define(keyspace, name, rows, new SourceOptions(options));
    return schema.toBuilder()
        .options(
            comment.isEmpty()
                ? schema.options()
                : schema.options().toBuilder().comment(comment).build())
        .id(UUID.randomUUID())
        .build();
  }

  private static void requireProvider(String provider) {
    if (!provider.equalsIgnoreCase(PROVIDER)) {
      throw new IllegalArgumentException(
          "tables of this catalog are of SSTables: USING is '" + provider + "', allowed sstable");
    }
  }

  private static TableSchema define(
      String keyspace, String name, StructType rows, SourceOptions options) {
    Optional<String> text = options.schema();
    if (text.isEmpty()) {
      if (options.partitionKey().isEmpty()) {
        throw new IllegalArgumentException(
            "table "
                + keyspace
                + "."
                + name
                + " needs property partitionKey, the columns of the partition key among "
                + List.of(rows.fieldNames())
                + ", or property schema, a CREATE TABLE statement of CQL");
      }
      return NewTable.of(keyspace, name, options, rows);
    }
    if (!options.partitionKey().isEmpty() || !options.clusteringKey().isEmpty()) {
      throw new IllegalArgumentException(
          "property schema has the primary key: partitionKey and clusteringKey are without it only");
    }
    TableSchema schema = Definitions.ofOption(text.get());
    if (!schema.keyspace().equals(keyspace) || !schema.name().equals(name)) {
      throw new IllegalArgumentException(
          "property schema defines "
              + schema.cqlName()
              + ", the table is "
              + keyspace
              + "."
              + name);
    }
    if (!rows.isEmpty()) {
      requireSame(schema, rows, options.areNumbersText());
    }
    return schema;
  }

  private static void requireSame(TableSchema schema, StructType rows, boolean areNumbersText) {
    Map<String, String> own = types(TableColumns.rowType(schema, areNumbersText));
    Map<String, String> given = types(rows);
    if (!own.equals(given)) {
      throw new IllegalArgumentException(
          "property schema has the columns " + own + ", the table is given the columns " + given);
    }
  }

  private static Map<String, String> types(StructType rows) {
    Map<String, String> types = new TreeMap<>();
    for (StructField field : rows.fields()) {
      types.put(field.name(), field.dataType().sql());
    }
    return types;
  }

  /** Returns the properties of a table. */
  public static Map<String, String> of(TableSchema schema, String path) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(TableCatalog.PROP_PROVIDER, PROVIDER);
    properties.put(TableCatalog.PROP_LOCATION, path);
    if (!schema.options().comment().isEmpty()) {
      properties.put(TableCatalog.PROP_COMMENT, schema.options().comment());
    }
    properties.put(
        SourceOptions.PARTITION_KEY,
        schema.partitionKeyColumns().stream()
            .map(column -> column.name())
            .collect(Collectors.joining(", ")));
    if (!schema.clusteringColumns().isEmpty()) {
      properties.put(
          SourceOptions.CLUSTERING_KEY,
          schema.clusteringColumns().stream()
              .map(column -> column.name() + (column.type().isReversed() ? " DESC" : ""))
              .collect(Collectors.joining(", ")));
    }
    return properties;
  }
}
