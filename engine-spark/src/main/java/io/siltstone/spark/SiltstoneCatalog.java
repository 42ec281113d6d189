package io.siltstone.spark;

import io.siltstone.schema.TableSchema;
import io.siltstone.spark.catalog.CatalogOptions;
import io.siltstone.spark.catalog.Keyspaces;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.TableProperties;
import io.siltstone.spark.table.TableReader;
import io.siltstone.spark.token.TokenFunctions;
import io.siltstone.spark.types.TableColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NonEmptyNamespaceException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableInfo;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of a directory of keyspaces, with the tables of Cassandra or Siltstone that are in
 * it: SQL by the names of tables, {@code CREATE TABLE}, {@code INSERT}, {@code DROP TABLE}, and the
 * function {@code NAME.KEYSPACE.TABLE.token}.
 *
 * <pre>
 * spark.sql.catalog.NAME=io.siltstone.spark.SiltstoneCatalog
 * spark.sql.catalog.NAME.path=/backup/node1/data
 * </pre>
 *
 * Spark creates it by its name; programs need not refer to this class. Its options are listed in
 * {@code docs/spark.md}. A directory that is a database of Siltstone or the data directory of a
 * node of Cassandra is only read. Each call lists the directory anew. Safe for use by all threads
 * once it is initialized. Methods throw an {@link UncheckedIOException} that names the directory or
 * file if it cannot be read or written, and an {@link IllegalArgumentException} for what is
 * refused.
 */
public final class SiltstoneCatalog
    implements StagingTableCatalog, SupportsNamespaces, FunctionCatalog {
  private @Nullable String name;
  private @Nullable CatalogOptions options;

  /** Creates the catalog, as Spark does, which then initializes it. */
  public SiltstoneCatalog() {}

  /**
   * Takes over the options.
   *
   * @throws IllegalArgumentException if one is wrong; the message names it
   */
  @Override
  public void initialize(String catalogName, CaseInsensitiveStringMap map) {
    name = catalogName;
    options = new CatalogOptions(catalogName, map.asCaseSensitiveMap());
  }

  /** Returns the name under which the session has the catalog. */
  @Override
  public String name() {
    return name == null ? "" : name;
  }

  private CatalogOptions options() {
    CatalogOptions present = options;
    if (present == null) {
      throw new IllegalStateException("the catalog is not initialized");
    }
    return present;
  }

  private static Configuration configuration() {
    return SparkSession.active().sparkContext().hadoopConfiguration();
  }

  private Keyspaces keyspaces() throws IOException {
    CatalogOptions of = options();
    String keyFile = of.ofTable(of.path()).keyFile().orElse(null);
    Storage storage = Storage.of(configuration(), List.of(of.path()), keyFile);
    return Keyspaces.open(storage, of.path(), of.snapshot().orElse(null));
  }

  /** A change or look-up that may fail. */
  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }

  private static <T> T unchecked(Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Returns the keyspaces. */
  @Override
  public String[][] listNamespaces() {
    return unchecked(
        () ->
            keyspaces().names().stream()
                .map(keyspace -> new String[] {keyspace})
                .toArray(String[][]::new));
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length == 0) {
      return listNamespaces();
    }
    requireKeyspace(namespace);
    return new String[0][];
  }

  private boolean isKeyspace(String[] namespace) {
    return namespace.length == 1 && unchecked(() -> keyspaces().names().contains(namespace[0]));
  }

  private void requireKeyspace(String[] namespace) throws NoSuchNamespaceException {
    if (!isKeyspace(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    requireKeyspace(namespace);
    return Map.of();
  }

  /** Creates a keyspace: a directory. */
  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    if (namespace.length != 1) {
      throw new IllegalArgumentException(
          "a keyspace has one name, not " + String.join(".", namespace));
    }
    if (isKeyspace(namespace)) {
      throw new NamespaceAlreadyExistsException(namespace);
    }
    var unused =
        unchecked(
            () -> {
              keyspaces().create(namespace[0]);
              return true;
            });
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes) {
    throw new UnsupportedOperationException("keyspaces have no properties that can be altered");
  }

  /**
   * Removes an empty keyspace. Tables are dropped one by one.
   *
   * @throws NonEmptyNamespaceException if it has tables, also if they are to be dropped with it
   */
  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade)
      throws NoSuchNamespaceException, NonEmptyNamespaceException {
    requireKeyspace(namespace);
    if (!unchecked(() -> keyspaces().drop(namespace[0]))) {
      throw new NonEmptyNamespaceException(namespace);
    }
    return true;
  }

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    requireKeyspace(namespace);
    return unchecked(
        () ->
            keyspaces().tables(namespace[0]).stream()
                .map(table -> Identifier.of(namespace, table))
                .toArray(Identifier[]::new));
  }

  /** Returns the directory of a table; empty if there is none. */
  private Optional<String> directoryOf(Identifier table) {
    return table.namespace().length == 1
        ? unchecked(() -> keyspaces().directoryOf(table.namespace()[0], table.name()))
        : Optional.empty();
  }

  /** Returns a table, with the definition that it has now. */
  @Override
  public Table loadTable(Identifier table) throws NoSuchTableException {
    return load(table, new StructType());
  }

  /**
   * Returns a table.
   *
   * @param order its columns in the order in which rows are written; empty for its own order
   */
  private CatalogTable load(Identifier table, StructType order) throws NoSuchTableException {
    Optional<String> directory = directoryOf(table);
    if (directory.isEmpty()) {
      throw new NoSuchTableException(table);
    }
    SourceOptions of = options().ofTable(directory.get());
    TableReader reader = new TableReader(configuration(), of);
    TableSchema schema = reader.definition();
    StructType own = TableColumns.rowType(schema, of.areNumbersText());
    StructType type = new StructType();
    for (String column : order.isEmpty() ? own.fieldNames() : order.fieldNames()) {
      type = type.add(own.apply(column));
    }
    Optional<String> refusal =
        unchecked(() -> keyspaces().refusal(table.namespace()[0], table.name()));
    return new CatalogTable(name() + "." + table, type, schema, of, reader, refusal);
  }

  /**
   * Creates a table.
   *
   * @param info with the properties {@code partitionKey} and {@code clusteringKey}, or {@code
   *     schema}
   * @throws IllegalArgumentException if properties or columns are wrong; the message names them
   */
  @Override
  public Table createTable(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return create(table, info);
  }

  private CatalogTable create(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    requireKeyspace(table.namespace());
    if (directoryOf(table).isPresent()) {
      throw new TableAlreadyExistsException(table);
    }
    if (info.partitions().length > 0) {
      throw new IllegalArgumentException(
          "table "
              + table
              + " is partitioned by the columns of property partitionKey, not by PARTITIONED BY or"
              + " CLUSTER BY");
    }
    StructType rows = new StructType();
    for (Column column : info.columns()) {
      rows = rows.add(column.name(), column.dataType());
    }
    TableSchema schema =
        TableProperties.define(
            table.namespace()[0],
            table.name(),
            rows,
            info.properties(),
            options().ofTable(options().path()).areNumbersText());
    var unused =
        unchecked(
            () -> {
              keyspaces().create(schema);
              return true;
            });
    try {
      // CREATE TABLE AS SELECT writes the columns of the query by their positions.
      return load(table, rows);
    } catch (NoSuchTableException e) {
      throw new IllegalStateException(table + " was dropped when it had been created", e);
    }
  }

  /**
   * Creates a table for {@code CREATE TABLE AS SELECT}, which is dropped if its rows cannot be
   * written. Otherwise as {@link #createTable}.
   */
  @Override
  public StagedTable stageCreate(Identifier table, TableInfo info)
      throws TableAlreadyExistsException, NoSuchNamespaceException {
    return new NewCatalogTable(create(table, info), () -> dropTable(table));
  }

  /**
   * Refuses to replace a table: Spark would drop it before it is known whether the new one can be
   * created and written.
   */
  @Override
  public StagedTable stageReplace(Identifier table, TableInfo info) throws NoSuchTableException {
    if (directoryOf(table).isEmpty()) {
      throw new NoSuchTableException(table);
    }
    throw notReplaced(table);
  }

  /** Creates a table as {@link #stageCreate}; refuses to replace one that is there. */
  @Override
  public StagedTable stageCreateOrReplace(Identifier table, TableInfo info)
      throws NoSuchNamespaceException {
    try {
      return stageCreate(table, info);
    } catch (TableAlreadyExistsException e) {
      throw notReplaced(table);
    }
  }

  private static UnsupportedOperationException notReplaced(Identifier table) {
    return new UnsupportedOperationException(
        table + " is not replaced: drop it first, or replace its rows by INSERT OVERWRITE");
  }

  @Override
  public Table alterTable(Identifier table, TableChange... changes) {
    throw new UnsupportedOperationException(
        table + " is not altered: change its schema.cql, as a database does");
  }

  /**
   * Drops a table with all its SSTables, unless there is something else in its directory, as
   * snapshots, or a change of it was interrupted.
   */
  @Override
  public boolean dropTable(Identifier table) {
    return table.namespace().length == 1
        && unchecked(() -> keyspaces().drop(table.namespace()[0], table.name()));
  }

  @Override
  public void renameTable(Identifier from, Identifier to) {
    throw new UnsupportedOperationException(
        from + " is not renamed: the name of a table is in its directory and its definition");
  }

  /** Returns the function {@code token} for the namespace of keyspace and table, else nothing. */
  @Override
  public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
    if (namespace.length == 2) {
      if (directoryOf(Identifier.of(new String[] {namespace[0]}, namespace[1])).isEmpty()) {
        throw new NoSuchNamespaceException(namespace);
      }
      return new Identifier[] {Identifier.of(namespace, TokenFunctions.NAME)};
    }
    if (namespace.length > 0) {
      requireKeyspace(namespace);
    }
    return new Identifier[0];
  }

  /** Returns the token function of a table, or a function that reports partitioning. */
  @Override
  public UnboundFunction loadFunction(Identifier function) throws NoSuchFunctionException {
    String[] of = function.namespace();
    if (of.length == 0) {
      return TokenFunctions.ofName(function.name())
          .orElseThrow(() -> new NoSuchFunctionException(function));
    }
    Optional<String> directory =
        of.length == 2 && function.name().equalsIgnoreCase(TokenFunctions.NAME)
            ? directoryOf(Identifier.of(new String[] {of[0]}, of[1]))
            : Optional.empty();
    if (directory.isEmpty()) {
      throw new NoSuchFunctionException(function);
    }
    SourceOptions table = options().ofTable(directory.get());
    TableReader reader = new TableReader(configuration(), table);
    return TokenFunctions.ofTable(
        reader.definition(), reader.table().partitioner(), table.areNumbersText());
  }
}
