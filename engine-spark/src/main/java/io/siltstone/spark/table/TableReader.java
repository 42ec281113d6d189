package io.siltstone.spark.table;

import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.spark.types.TableColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Reads what the driver must know of a table: its definition, and for a scan the listing of its
 * files. Immutable, safe for use by all threads.
 */
public final class TableReader {
  private final Configuration configuration;
  private final SourceOptions options;

  /**
   * @param configuration of Hadoop's file systems
   */
  public TableReader(Configuration configuration, SourceOptions options) {
    this.configuration = configuration;
    this.options = options;
  }

  /**
   * Returns the definition of the table.
   *
   * @throws IllegalArgumentException if an option is wrong; the message names it
   * @throws UncheckedIOException if a directory or file cannot be read; the message names it
   */
  public TableSchema definition() {
    if (options.schema().isPresent()) {
      return Definitions.ofOption(options.schema().get());
    }
    try {
      Storage storage = storage();
      return Definitions.of(storage, options.schema(), list(storage));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Lists the table's files, and opens its SSTables once; otherwise as {@link #definition}. */
  public SourceTable table() {
    try {
      Storage storage = storage();
      List<TableDirectory> directories = list(storage);
      TableSchema schema = Definitions.of(storage, options.schema(), directories);
      return SourceTable.of(storage, schema, directories, options.skipsDamage());
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private Storage storage() throws IOException {
    return Storage.of(configuration, options.paths());
  }

  private List<TableDirectory> list(Storage storage) throws IOException {
    List<TableDirectory> directories = new ArrayList<>();
    for (String path : options.paths()) {
      directories.add(TableDirectory.list(storage, path));
    }
    return directories;
  }

  /**
   * Checks that a table has columns that a program asks for by a schema of its own.
   *
   * @throws IllegalArgumentException naming a column that the table has not, or with another type
   */
  public void require(StructType asked, TableSchema schema) {
    StructType own = TableColumns.rowType(schema, options.areNumbersText());
    for (StructField field : asked.fields()) {
      boolean isKnown = List.of(own.fieldNames()).contains(field.name());
      if (!isKnown || !own.apply(field.name()).dataType().sameType(field.dataType())) {
        throw new IllegalArgumentException(
            "column "
                + field.name()
                + " is asked for as "
                + field.dataType().sql()
                + ", table "
                + schema.cqlName()
                + (isKnown
                    ? " has it as " + own.apply(field.name()).dataType().sql()
                    : " has only " + List.of(own.fieldNames())));
      }
    }
  }
}
