package io.siltstone.spark.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.ring.TokenRing;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.spark.types.TableColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /** Returns a reader of the same table with the options of one query. */
  public TableReader with(SourceOptions query) {
    return new TableReader(configuration, query);
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

  /**
   * Returns the token ranges that no directory covers; empty if the ring is not known.
   *
   * @throws IllegalArgumentException if option ring or nodes is wrong; the message names it
   */
  public List<TokenRing.Range> uncoveredRanges() {
    return ring().map(ring -> Rings.uncovered(ring, options)).orElse(List.of());
  }

  /**
   * Returns the token ranges of the cluster, if option ring gives them.
   *
   * @throws IllegalArgumentException if the option is wrong; the message names it
   */
  public Optional<TokenRing> ring() {
    try {
      return Rings.of(configuration, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /**
   * Returns the definition of the table if there is one yet; a table that is written may be new.
   * Otherwise as {@link #definition}.
   */
  public Optional<TableSchema> presentDefinition() {
    Optional<TableSchema> given = options.schema().map(Definitions::ofOption);
    try {
      Storage storage = storage();
      List<TableDirectory> directories = list(storage);
      for (TableDirectory directory : directories) {
        if (given.isEmpty()
            && (directory.file(Catalog.SCHEMA_FILE).isPresent()
                || !directory.sstables().isEmpty())) {
          return Optional.of(Definitions.of(storage, Optional.empty(), directories));
        }
      }
      return given;
    } catch (NoSuchFileException e) {
      return given;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /**
   * Returns the definition of the table that rows are written to: that of the option {@code schema}
   * or of the directory, or else one that is made for the rows.
   *
   * @throws IllegalArgumentException if there is none and options do not say what the primary key
   *     is; or if they do although there is one; or if the directory is that of another table than
   *     the option says
   */
  public TableSchema definitionOf(StructType rows) {
    Optional<TableSchema> present = presentDefinition();
    if (options.schema().isPresent() && present.isPresent()) {
      requireSame(present.get());
    }
    boolean isKeyGiven = !options.partitionKey().isEmpty() || !options.clusteringKey().isEmpty();
    if (present.isPresent()) {
      if (isKeyGiven) {
        throw new IllegalArgumentException(
            "options partitionKey and clusteringKey are for a new table, the definition of "
                + present.get().cqlName()
                + " is known already");
      }
      return present.get();
    }
    if (options.partitionKey().isEmpty()) {
      throw new IllegalArgumentException(
          "a new table needs option schema, a CREATE TABLE statement, or option partitionKey, the"
              + " columns of the partition key among "
              + List.of(rows.fieldNames()));
    }
    return NewTable.of(options, rows);
  }

  private void requireSame(TableSchema schema) {
    try {
      Storage storage = storage();
      for (TableDirectory directory : list(storage)) {
        Definitions.requireSame(storage, directory, schema);
      }
    } catch (NoSuchFileException e) {
      // The table is new.
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Returns what opens the table's files. */
  public Storage storage() {
    try {
      return Storage.of(configuration, options.paths(), options.keyFile().orElse(null));
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
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
