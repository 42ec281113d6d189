package io.siltstone.catalog;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.schema.Schema;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.threads.ParallelSteps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog: the tables of a database on disk, and how they are created, altered and dropped.
 *
 * <p>A table exists once its {@code schema.cql} has its final name; it is gone once its directory
 * has the file {@code dropped}. What a crash has left of a creation or a drop is removed by {@link
 * #open}. Snapshots, which are child directories, outlive their table.
 *
 * <p>Not safe for use by several threads; its owner serializes changes.
 */
public final class Catalog {
  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

  /** The file that defines a table, beside its data. */
  public static final String SCHEMA_FILE = "schema.cql";

  /** The file in the directory of a table that was dropped. */
  public static final String DROPPED_FILE = "dropped";

  private static final String TEMPORARY_FILE = TextFile.temporaryName(SCHEMA_FILE);

  private final Directory data;
  private final Set<String> prepared;
  private final @Nullable DefinitionSource definitions;
  private final ParallelSteps parallel;

  private Catalog(
      Directory data,
      Set<String> prepared,
      @Nullable DefinitionSource definitions,
      ParallelSteps parallel) {
    this.data = data;
    this.prepared = prepared;
    this.definitions = definitions;
    this.parallel = parallel;
  }

  /** Prepares the directory of a table before the table exists. */
  @FunctionalInterface
  public interface Preparation {
    /**
     * Writes files durably, with names that no SSTable has. Called by several threads if several
     * tables are created at once.
     */
    void prepare(TableHome home) throws IOException;
  }

  /**
   * A catalog that may be changed, and what was found when it was opened.
   *
   * @param content the tables that were found
   */
  public record Opened(Catalog catalog, CatalogContent content) {}

  /**
   * Opens the catalog in a directory whose children are keyspaces, and removes what interrupted
   * changes have left. If the content is refused, nothing is removed.
   *
   * @param prepared names of files that a {@link Preparation} writes
   * @throws IOException as {@link #tables}
   */
  public static Opened open(Directory data, Set<String> prepared) throws IOException {
    Opened opened = open(data, prepared, null, UnchangedTables.NONE, ParallelSteps.inCaller());
    opened.catalog().syncNames(Set.of());
    return opened;
  }

  /**
   * Opens the catalog leniently: what is missing, damaged or contradictory in a table's definition
   * is assumed as far as it is certain, and tables of which too little is known are left out.
   *
   * @param prepared names of files that a {@link Preparation} writes
   * @param definitions finds definitions that cannot be read; null for a strict opening
   * @param unchanged tables whose directories are known, and have no remains
   * @param parallel runs the steps of several tables
   * @return the catalog, whose names the caller makes durable by {@link #syncNames} before it
   *     relies on them
   */
  public static Opened open(
      Directory data,
      Set<String> prepared,
      @Nullable DefinitionSource definitions,
      UnchangedTables unchanged,
      ParallelSteps parallel)
      throws IOException {
    Catalog catalog = new Catalog(data, Set.copyOf(prepared), definitions, parallel);
    CatalogContent content = catalog.content(unchanged);
    catalog.removeRemains(content);
    return new Opened(catalog, content);
  }

  /** Opens a catalog for reading only: remains of interrupted changes are skipped, and stay. */
  public static Catalog openReadOnly(Directory data) {
    return openReadOnly(data, null);
  }

  /**
   * Opens a catalog for reading only.
   *
   * @param definitions finds definitions that cannot be read, for a lenient opening; null for a
   *     strict one
   */
  public static Catalog openReadOnly(Directory data, @Nullable DefinitionSource definitions) {
    return new Catalog(data, Set.of(), definitions, ParallelSteps.inCaller());
  }

  /**
   * Syncs the directories, so that the names of tables, definitions, SSTables and transaction logs
   * are durable: the process that created them may have died before they were.
   *
   * @param unchanged paths of directories that have not changed since a clean close
   */
  public void syncNames(Set<String> unchanged) throws IOException {
    data.sync();
    for (String keyspace : data.directories()) {
      Directory parent = data.directory(keyspace);
      parent.sync();
      parallel.forEach(others(parent, unchanged), name -> parent.directory(name).sync());
    }
  }

  /** Returns the names of the directories of a keyspace whose paths are not among some. */
  private static List<String> others(Directory keyspace, Set<String> paths) throws IOException {
    return keyspace.directories().stream()
        .filter(name -> !paths.contains(keyspace.path() + "/" + name))
        .toList();
  }

  /**
   * Returns whether the directory is that of one table, such as a snapshot: it has a {@code
   * schema.cql}, and is no database.
   */
  public static boolean isTable(Directory directory) throws IOException {
    return directory.exists(SCHEMA_FILE) && !Identity.isIn(directory);
  }

  /**
   * Reads the table in a directory.
   *
   * @throws IOException if the schema cannot be read, naming file and place; its cause is a {@link
   *     SchemaException} if the text is no valid schema
   */
  public static TableHome read(Directory directory) throws IOException {
    String path = directory.path() + "/" + SCHEMA_FILE;
    return read(directory, warning -> LOG.info("{}: {}", path, warning));
  }

  /**
   * Reads the table in a directory; see {@link #read(Directory)}.
   *
   * @param warnings receives a warning for each part of the schema that is ignored
   */
  public static TableHome read(Directory directory, Consumer<String> warnings) throws IOException {
    String path = directory.path() + "/" + SCHEMA_FILE;
    String text = TextFile.read(directory, SCHEMA_FILE);
    TableSchema schema;
    try {
      Schema read = SchemaParser.parseLeniently(text);
      read.warnings().forEach(warnings);
      schema = onlyTable(read);
    } catch (SchemaException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
    if (schema.id().isEmpty()) {
      UUID id =
          CatalogReader.idOf(schema.name(), directory)
              // The id is the same each time the text is read.
              .orElseGet(() -> UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)));
      schema = schema.toBuilder().id(id).build();
    }
    return new TableHome(directory, schema);
  }

  private static TableSchema onlyTable(Schema read) {
    try {
      return read.onlyTable();
    } catch (IllegalStateException e) {
      throw new SchemaException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns all tables, by keyspace and directory name.
   *
   * @throws IOException unless the catalog is lenient, if a schema cannot be read, a directory has
   *     SSTables and no schema, or its name is not that of the table in its schema. Also if two
   *     directories have tables of one id or one name
   */
  public List<TableHome> tables() throws IOException {
    return content().tables();
  }

  /**
   * Returns all tables, and what was assumed or left out.
   *
   * @throws IOException as {@link #tables}
   */
  public CatalogContent content() throws IOException {
    return content(UnchangedTables.NONE);
  }

  private CatalogContent content(UnchangedTables unchanged) throws IOException {
    return new CatalogReader(data, definitions, unchanged, parallel).read();
  }

  /**
   * Creates a table, durably. After a failure the caller calls {@link #undoCreate}.
   *
   * @param schema with an id
   * @param preparation is called before the table exists
   * @throws FileAlreadyExistsException if its directory exists already
   * @throws InDoubtException if it is unknown whether the table exists
   * @throws IOException if it certainly does not
   */
  public TableHome create(TableSchema schema, Preparation preparation) throws IOException {
    return create(List.of(schema), preparation, ParallelSteps.inCaller()).get(0);
  }

  /**
   * Creates tables, durably, with one sync of the directory of each keyspace; their definitions are
   * synced in parallel, which file systems with a journal do together. After a crash some of the
   * tables may exist. After a failure the caller calls {@link #undoCreate} for all of them.
   *
   * @param schemas with ids, each of another table
   * @param preparation is called before each table exists
   * @throws FileAlreadyExistsException if the directory of one exists already; nothing has been
   *     created then
   * @throws InDoubtException if it is unknown whether one of the tables exists
   */
  public List<TableHome> create(
      List<TableSchema> schemas, Preparation preparation, ParallelSteps parallel)
      throws IOException {
    Map<String, Directory> keyspaces = new LinkedHashMap<>();
    for (TableSchema schema : schemas) {
      if (!keyspaces.containsKey(schema.keyspace())) {
        keyspaces.put(schema.keyspace(), data.directory(schema.keyspace()));
      }
    }
    data.sync();
    for (Map.Entry<String, Directory> keyspace : keyspaces.entrySet()) {
      requireNew(keyspace.getKey(), keyspace.getValue(), schemas);
    }
    Map<UUID, TableHome> homes = new ConcurrentHashMap<>();
    // A file system creates one directory of a keyspace after the other, while it syncs the
    // definitions of others.
    parallel.forEach(
        schemas,
        schema -> {
          Directory keyspace = Objects.requireNonNull(keyspaces.get(schema.keyspace()));
          TableHome home = new TableHome(keyspace.directory(directoryName(schema)), schema);
          preparation.prepare(home);
          writeSchema(home.directory(), schema);
          homes.put(home.id(), home);
        });
    for (Directory keyspace : keyspaces.values()) {
      syncNamesOfCreated(keyspace);
    }
    return schemas.stream()
        .map(schema -> Objects.requireNonNull(homes.get(schema.id().orElseThrow())))
        .toList();
  }

  private static void syncNamesOfCreated(Directory keyspace) throws IOException {
    try {
      keyspace.sync();
    } catch (IOException e) {
      throw new InDoubtException(
          "it is not known whether all tables created in "
              + keyspace.path()
              + " are durable: "
              + e.getMessage(),
          e);
    }
  }

  private static void requireNew(String name, Directory keyspace, List<TableSchema> schemas)
      throws IOException {
    Set<String> present = new HashSet<>(keyspace.directories());
    for (TableSchema schema : schemas) {
      String table = directoryName(schema);
      if (schema.keyspace().equals(name) && present.contains(table)) {
        throw new FileAlreadyExistsException(
            keyspace.path() + "/" + table,
            null,
            keyspace.directory(table).files().contains(DROPPED_FILE)
                ? "a table with this id was dropped, and snapshots or a compaction that gives up"
                    + " are in its directory"
                : "a table with this id is there");
      }
    }
  }

  /** Removes the remains of a creation that failed, durably. */
  public void undoCreate(TableSchema schema) throws IOException {
    if (data.directories().contains(schema.keyspace())) {
      Directory keyspace = data.directory(schema.keyspace());
      String name = directoryName(schema);
      if (keyspace.directories().contains(name)) {
        removeDurably(keyspace.directory(name), keyspace, name);
      }
    }
  }

  /** Replaces the definition of a table, durably. */
  public TableHome alter(TableHome home, TableSchema schema) throws IOException {
    if (!schema.id().equals(home.schema().id())) {
      throw new IllegalArgumentException("the id of " + home.fullName() + " cannot be altered");
    }
    writeSchema(home.directory(), schema);
    return new TableHome(home.directory(), schema);
  }

  /**
   * Marks a table as dropped, durably. Its files stay until {@link #removeDropped}.
   *
   * @throws InDoubtException if it is unknown whether it is dropped
   * @throws IOException if it certainly is not
   */
  public void drop(TableHome home) throws IOException {
    Directory directory = home.directory();
    try {
      try (WritableFile file = directory.create(DROPPED_FILE, WriteIntent.OTHER)) {
        file.sync();
      }
      directory.sync();
    } catch (IOException e) {
      requireNotMarked(directory, e);
      throw e;
    }
  }

  private static void requireNotMarked(Directory directory, IOException failure)
      throws InDoubtException {
    boolean isMarked;
    try {
      isMarked = directory.exists(DROPPED_FILE);
    } catch (IOException e) {
      failure.addSuppressed(e);
      isMarked = true;
    }
    if (isMarked) {
      throw new InDoubtException(
          "it is not known whether "
              + directory.path()
              + " is that of a table that was dropped: "
              + failure.getMessage(),
          failure);
    }
  }

  /**
   * Removes the files of a table that was dropped; snapshots stay. What a crash leaves of the
   * directory is removed by the next opening.
   */
  public void removeDropped(TableHome home) throws IOException {
    Directory keyspace = data.directory(home.schema().keyspace());
    var unused = removeFiles(home.directory(), keyspace, directoryName(home.schema()));
  }

  /**
   * Checks that a definition can be read back after it is written: CQL cannot express every type
   * that can be named by its class.
   *
   * @throws SchemaException if it cannot
   */
  public static void requireReadable(TableSchema schema) {
    String text = schema.toCql();
    TableSchema read;
    try {
      read = SchemaParser.parseLeniently(text).onlyTable();
    } catch (SchemaException e) {
      throw new SchemaException("CQL cannot express the table: " + e.getMessage());
    }
    if (!read.withOptions(schema.options()).equals(schema)) {
      throw new SchemaException("CQL cannot express the table; it would be read as " + read);
    }
  }

  /**
   * Writes a table's definition into a directory, durably: after a crash the old or the new text is
   * there.
   */
  public static void writeSchema(Directory directory, TableSchema schema) throws IOException {
    TextFile.replace(directory, SCHEMA_FILE, schema.toCql());
  }

  private void removeRemains(CatalogContent content) throws IOException {
    if (content.others() == 0) {
      return;
    }
    Set<String> tables = new HashSet<>();
    content.tables().forEach(table -> tables.add(table.directory().path()));
    Set<String> unchanged = content.unchanged();
    for (String keyspace : data.directories()) {
      Directory parent = data.directory(keyspace);
      parallel.forEach(
          others(parent, unchanged),
          name -> removeRemains(parent, name, tables.contains(parent.path() + "/" + name)));
    }
  }

  private void removeRemains(Directory parent, String name, boolean isTable) throws IOException {
    Directory directory = parent.directory(name);
    if (isTable) {
      if (directory.exists(TEMPORARY_FILE)) {
        // The remains of an interrupted change: the definition is as it was before.
        directory.delete(TEMPORARY_FILE);
      }
      return;
    }
    List<String> files = directory.files();
    boolean dropped = files.contains(DROPPED_FILE);
    boolean neverMade =
        directory.directories().isEmpty() && files.stream().allMatch(this::isPrepared);
    if (dropped) {
      // The process may have died before it had synced the mark. Without the mark, what is left
      // after another crash would be a table again.
      try (WritableFile mark = directory.append(DROPPED_FILE)) {
        mark.sync();
      }
      directory.sync();
    }
    if (dropped || neverMade) {
      removeDurably(directory, parent, name);
    } else if (files.contains(TEMPORARY_FILE)) {
      directory.delete(TEMPORARY_FILE);
    }
  }

  /**
   * Returns whether the file may be what a creation has left that was interrupted before the table
   * existed.
   */
  private boolean isPrepared(String file) {
    return file.equals(TEMPORARY_FILE)
        || prepared.stream()
            .anyMatch(name -> file.equals(name) || file.equals(TextFile.temporaryName(name)));
  }

  private static void removeDurably(Directory directory, Directory parent, String name)
      throws IOException {
    if (removeFiles(directory, parent, name)) {
      parent.sync();
    }
  }

  /** Removes the files of a table's directory; returns whether the directory is removed, too. */
  private static boolean removeFiles(Directory directory, Directory parent, String name)
      throws IOException {
    List<String> files = directory.files();
    for (String file : files) {
      if (!file.equals(DROPPED_FILE)) {
        directory.delete(file);
      }
    }
    if (!directory.directories().isEmpty()) {
      return false;
    }
    if (files.contains(DROPPED_FILE)) {
      // The mark is removed last: without it the rest would be a table again.
      directory.sync();
      directory.delete(DROPPED_FILE);
    }
    parent.deleteDirectory(name);
    return true;
  }

  /** Returns the name of a table's directory, which consists of its name and its id. */
  public static String directoryName(TableSchema schema) {
    UUID id = schema.id().orElseThrow();
    return schema.name() + "-" + id.toString().replace("-", "");
  }
}
