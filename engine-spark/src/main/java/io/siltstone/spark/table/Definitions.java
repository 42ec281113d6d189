package io.siltstone.spark.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.ListedDirectory;
import io.siltstone.spark.files.ListedFile;
import io.siltstone.spark.files.ListedSSTable;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.type.CqlType;
import io.siltstone.type.TypeKind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the definition of a table: the option {@code schema}, the file {@code schema.cql} of its
 * directories, or the headers of its SSTables. Headers have no names of columns of the primary key,
 * which are then called {@code key}, or {@code key1}, {@code key2} and so on, and {@code
 * clustering1} and so on.
 */
public final class Definitions {
  private static final String KEYSPACE = "files";
  private static final String NAME = "headers";

  private Definitions() {}

  /**
   * Returns the definition of the table in some directories.
   *
   * @param text the option {@code schema}; empty if it is not given
   * @throws IllegalArgumentException if the option is no definition
   * @throws IOException if the directories have none, or definitions that differ; the message names
   *     files
   */
  public static TableSchema of(
      Storage storage, Optional<String> text, List<TableDirectory> directories) throws IOException {
    if (text.isPresent()) {
      return ofOption(text.get());
    }
    TableSchema found = null;
    String path = "";
    for (TableDirectory directory : directories) {
      Optional<ListedFile> file = directory.file(Catalog.SCHEMA_FILE);
      if (file.isEmpty()) {
        continue;
      }
      TableSchema here = parse(file.get().path(), TableDirectory.text(storage, file.get()));
      if (found != null && !isSame(found, here)) {
        throw new IOException(
            path
                + " and "
                + file.get().path()
                + " define different tables; option schema decides which is read");
      }
      found = here;
      path = file.get().path();
    }
    return found != null ? found : ofHeaders(storage, directories);
  }

  /** Returns the definition that the option {@code schema} gives. */
  public static TableSchema ofOption(String text) {
    try {
      return SchemaParser.parseLeniently(text).onlyTable();
    } catch (SchemaException | IllegalStateException e) {
      throw new IllegalArgumentException(
          "option " + SourceOptions.SCHEMA + ": " + e.getMessage(), e);
    }
  }

  private static TableSchema parse(String path, String text) throws IOException {
    try {
      return SchemaParser.parseLeniently(text).onlyTable();
    } catch (SchemaException | IllegalStateException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Checks that a directory is that of no other table.
   *
   * @throws IllegalArgumentException if its {@code schema.cql} has another definition
   */
  static void requireSame(Storage storage, TableDirectory directory, TableSchema schema)
      throws IOException {
    Optional<ListedFile> file = directory.file(Catalog.SCHEMA_FILE);
    if (file.isPresent()
        && !isSame(schema, parse(file.get().path(), TableDirectory.text(storage, file.get())))) {
      throw new IllegalArgumentException(
          "option " + SourceOptions.SCHEMA + " defines another table than " + file.get().path());
    }
  }

  private static boolean isSame(TableSchema one, TableSchema other) {
    return one.keyspace().equals(other.keyspace())
        && one.name().equals(other.name())
        && one.partitionKeyColumns().equals(other.partitionKeyColumns())
        && one.clusteringColumns().equals(other.clusteringColumns())
        && one.staticColumns().equals(other.staticColumns())
        && one.regularColumns().equals(other.regularColumns())
        && one.droppedColumns().equals(other.droppedColumns())
        && one.userTypes().equals(other.userTypes());
  }

  private static TableSchema ofHeaders(Storage storage, List<TableDirectory> directories)
      throws IOException {
    HeaderColumns columns = new HeaderColumns();
    for (TableDirectory directory : directories) {
      for (ListedSSTable sstable : directory.sstables()) {
        if (sstable.has(Component.STATISTICS)) {
          Descriptor descriptor =
              Descriptor.parse(sstable.name() + "-" + Component.STATISTICS.fileName());
          Statistics statistics =
              Statistics.read(
                  new ListedDirectory(storage, directory.path(), sstable.files()),
                  descriptor.fileName(Component.STATISTICS),
                  descriptor.version());
          columns.add(sstable.path(Component.STATISTICS), statistics.header());
        }
      }
    }
    TableSchema schema = columns.schema();
    if (schema == null) {
      TableDirectory first = directories.get(0);
      throw new IOException(
          first.path()
              + " has neither SSTables nor a "
              + Catalog.SCHEMA_FILE
              + (first.directories().contains("data")
                  ? "; it seems to be a database: its tables are in data/KEYSPACE/TABLE"
                  : ""));
    }
    return schema;
  }

  /** The columns of the headers of all SSTables, which must agree on their types. */
  private static final class HeaderColumns {
    private final Map<String, CqlType> statics = new LinkedHashMap<>();
    private final Map<String, CqlType> regulars = new LinkedHashMap<>();
    private @Nullable SerializationHeader first;
    private String path = "";

    void add(String from, SerializationHeader header) throws IOException {
      SerializationHeader present = first;
      if (present == null) {
        first = header;
        path = from;
      } else if (!present.keyType().equals(header.keyType())
          || !present.clusteringTypes().equals(header.clusteringTypes())) {
        throw new IOException(path + " and " + from + " are of tables with different primary keys");
      }
      for (boolean isStatic : new boolean[] {true, false}) {
        for (HeaderColumn column : header.columns(isStatic)) {
          CqlType other = (isStatic ? statics : regulars).putIfAbsent(column.name(), column.type());
          if (other != null && !other.equals(column.type())) {
            throw new IOException(
                from
                    + ": column "
                    + column.name()
                    + " is of type "
                    + column.type()
                    + ", in other SSTables of type "
                    + other
                    + "; option schema decides which is read");
          }
        }
      }
    }

    @Nullable TableSchema schema() {
      SerializationHeader header = first;
      if (header == null) {
        return null;
      }
      TableSchema.Builder builder = TableSchema.builder(KEYSPACE, NAME);
      CqlType key = header.keyType();
      List<CqlType> keys = key.kind() == TypeKind.COMPOSITE ? key.elementTypes() : List.of(key);
      for (int i = 0; i < keys.size(); i++) {
        builder.partitionKey(free(keys.size() == 1 ? "key" : "key" + (i + 1)), keys.get(i));
      }
      for (int i = 0; i < header.clusteringTypes().size(); i++) {
        builder.clustering(free("clustering" + (i + 1)), header.clusteringTypes().get(i));
      }
      statics.forEach(builder::staticColumn);
      regulars.forEach(builder::regular);
      return builder.build();
    }

    /** Returns a name that no other column has. */
    private String free(String name) {
      String free = name;
      while (statics.containsKey(free) || regulars.containsKey(free)) {
        free = free + "_";
      }
      return free;
    }
  }
}
