package io.siltstone.spark.catalog;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.Identity;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Storage;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory of keyspaces, with a directory for each table:
 *
 * <pre>
 *   KEYSPACE/TABLE-ID      of Cassandra, and of Siltstone's databases and checkpoints below data
 *   KEYSPACE/TABLE         as tools make it for nodetool import and sstableloader
 * </pre>
 *
 * If the catalog shows a snapshot, tables are the directories {@code snapshots/TAG} in these. Each
 * method lists anew. Immutable, safe for use by all threads.
 */
public final class Keyspaces {
  private static final String DATA = "data";
  private static final String SNAPSHOTS = "snapshots";
  private static final String WRITER_LOCK = "writer.lock";
  // The second directory of a node with several has only those that are not of the node itself.
  private static final Set<String> OF_NODES =
      Set.of(
          "system",
          "system_schema",
          "system_auth",
          "system_distributed",
          "system_traces",
          "system_cluster_metadata");
  private static final Pattern WITH_ID = Pattern.compile("(.+)-[0-9a-f]{32}");
  private static final Pattern KEYSPACE = Pattern.compile("[A-Za-z0-9_]{1,48}");

  private final Storage storage;
  private final String path;
  private final @Nullable String snapshot;
  private final @Nullable String refusal;

  private Keyspaces(
      Storage storage, String path, @Nullable String snapshot, @Nullable String refusal) {
    this.storage = storage;
    this.path = path;
    this.snapshot = snapshot;
    this.refusal = refusal;
  }

  /**
   * Opens a directory of keyspaces, or a database or checkpoint of Siltstone.
   *
   * @param snapshot the tag of the snapshot that is shown; null for the tables themselves
   * @throws NoSuchFileException if the directory is missing; the message names it
   */
  public static Keyspaces open(Storage storage, String path, @Nullable String snapshot)
      throws IOException {
    Directory root = storage.open(path);
    boolean isDatabase = Identity.isIn(root);
    Directory keyspaces = isDatabase ? root.existingDirectory(DATA) : root;
    String refusal = null;
    if (isDatabase || root.exists(WRITER_LOCK) || isDataOfDatabase(storage, path)) {
      refusal = path + " is a database, whose tables only its own process changes";
    } else if (keyspaces.directories().stream().anyMatch(OF_NODES::contains)) {
      refusal = path + " is the data directory of a node of Cassandra, which only the node changes";
    } else if (snapshot != null) {
      refusal = "the catalog shows the snapshot " + snapshot + ", which does not change";
    } else if (storage.isEncrypted()) {
      refusal = "the files below " + path + " are encrypted, which Spark only reads";
    } else if (!storage.isLocal()) {
      refusal = path + " is not in the file system of the machine";
    }
    return new Keyspaces(storage, keyspaces.path(), snapshot, refusal);
  }

  /** A checkpoint has no lock: what is above its directory of keyspaces shows that it is one. */
  private static boolean isDataOfDatabase(Storage storage, String path) throws IOException {
    if (!storage.isLocal()) {
      return false;
    }
    Path above = Storage.localPath(path).toRealPath().getParent();
    return above != null && Identity.isIn(NioDirectory.openExisting(above));
  }

  /**
   * Returns the reason why a table is not changed, if there is one.
   *
   * @throws IOException if its directory cannot be found
   */
  public Optional<String> refusal(String keyspace, String table) throws IOException {
    if (refusal != null) {
      return Optional.of(refusal);
    }
    Optional<Found> found = find(keyspace, table);
    return found.isEmpty() ? Optional.empty() : refusal(keyspace, found.get());
  }

  /** Files that a link leads to may be those of a node or database, which is not seen here. */
  private Optional<String> refusal(String keyspace, Found table) throws IOException {
    Path own = Storage.localPath(path).toRealPath().resolve(keyspace).resolve(table.name());
    Path real = Path.of(table.files().path()).toRealPath();
    return real.equals(own)
        ? Optional.empty()
        : Optional.of(
            table.files().path()
                + " is reached through a symbolic link, and tables elsewhere, here "
                + real
                + ", are only read");
  }

  private void requireChangeable() {
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
  }

  /** Returns the names of the keyspaces, sorted. */
  public List<String> names() throws IOException {
    return storage.open(path).directories().stream().filter(KEYSPACE.asMatchPredicate()).toList();
  }

  /** Returns the names of the tables of a keyspace, sorted. */
  public List<String> tables(String keyspace) throws IOException {
    TreeSet<String> tables = new TreeSet<>();
    for (Found found : found(keyspace, null)) {
      tables.add(found.table());
    }
    return List.copyOf(tables);
  }

  /**
   * Returns the directory with the files of a table, if there is one.
   *
   * @throws IOException if there are several, of a table that was dropped and created again; the
   *     message names them
   */
  public Optional<String> directoryOf(String keyspace, String table) throws IOException {
    return find(keyspace, table).map(found -> found.files().path());
  }

  private Optional<Found> find(String keyspace, String table) throws IOException {
    List<Found> all = found(keyspace, table);
    List<Found> filled = all.stream().filter(Found::isFilled).toList();
    if (filled.size() > 1) {
      throw new IOException(
          "table "
              + keyspace
              + "."
              + table
              + " has several directories, "
              + String.join(", ", filled.stream().map(each -> each.files().path()).toList())
              + "; the data source reads one by its path");
    }
    return (filled.isEmpty() ? all : filled).stream().findFirst();
  }

  /**
   * A directory of a table.
   *
   * @param name of the directory in that of the keyspace
   * @param files the directory that has the files of the table
   * @param isFilled whether it has a definition or SSTables; those of tables that were dropped may
   *     have only snapshots
   */
  private record Found(String table, String name, Directory files, boolean isFilled) {}

  private List<Found> found(String keyspace, @Nullable String only) throws IOException {
    List<Found> found = new ArrayList<>();
    if (!names().contains(keyspace)) {
      return found;
    }
    Directory parent = storage.open(path).existingDirectory(keyspace);
    for (String name : parent.directories()) {
      Matcher matcher = WITH_ID.matcher(name);
      boolean hasId = matcher.matches();
      String table = hasId ? matcher.group(1) : name;
      if (only == null || only.equals(table)) {
        Directory directory = parent.existingDirectory(name);
        Optional<Directory> files = filesOf(directory);
        boolean isFilled = files.isPresent() && isFilled(files.get());
        if (files.isPresent() && (hasId || isFilled) && !directory.exists(Catalog.DROPPED_FILE)) {
          found.add(new Found(table, name, files.get(), isFilled));
        }
      }
    }
    return found;
  }

  private Optional<Directory> filesOf(Directory table) throws IOException {
    if (snapshot == null) {
      return Optional.of(table);
    }
    if (!table.directories().contains(SNAPSHOTS)) {
      return Optional.empty();
    }
    Directory snapshots = table.existingDirectory(SNAPSHOTS);
    return snapshots.directories().contains(snapshot)
        ? Optional.of(snapshots.existingDirectory(snapshot))
        : Optional.empty();
  }

  private static boolean isFilled(Directory directory) throws IOException {
    return directory.files().stream()
        .anyMatch(
            file ->
                file.equals(Catalog.SCHEMA_FILE) || Descriptor.isComponent(file, Component.DATA));
  }

  /**
   * Creates a keyspace.
   *
   * @throws IllegalArgumentException if the name is none that Cassandra allows, or nothing is
   *     changed here; see {@link #refusal}
   */
  public void create(String keyspace) throws IOException {
    requireChangeable();
    if (!KEYSPACE.matcher(keyspace).matches()) {
      throw new IllegalArgumentException(
          "a keyspace cannot have the name '"
              + keyspace
              + "', allowed are 1 to 48 letters of ASCII, digits and underscores");
    }
    Directory root = NioDirectory.openExisting(Storage.localPath(path));
    var unused = root.directory(keyspace);
    root.sync();
  }

  /**
   * Removes a keyspace that has no tables.
   *
   * @return whether it was there and empty
   * @throws IllegalArgumentException if nothing is changed here; see {@link #refusal}
   */
  public boolean drop(String keyspace) throws IOException {
    requireChangeable();
    Directory root = NioDirectory.openExisting(Storage.localPath(path));
    Directory directory = root.existingDirectory(keyspace);
    if (!directory.files().isEmpty() || !directory.directories().isEmpty()) {
      return false;
    }
    root.deleteDirectory(keyspace);
    root.sync();
    return true;
  }

  /**
   * Creates a table, whose keyspace is there, durably.
   *
   * @param schema with an id
   * @throws IllegalArgumentException if nothing is changed here; see {@link #refusal}
   */
  public void create(TableSchema schema) throws IOException {
    requireChangeable();
    Catalog.requireReadable(schema);
    Directory root = NioDirectory.openExisting(Storage.localPath(path));
    Catalog catalog = Catalog.openReadOnly(root);
    try {
      var unused = catalog.create(schema, home -> {});
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      undo(catalog, schema, e);
      throw e;
    }
  }

  private static void undo(Catalog catalog, TableSchema schema, IOException failure) {
    try {
      catalog.undoCreate(schema);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Removes a table with its SSTables.
   *
   * @return whether it was there
   * @throws IllegalArgumentException if nothing is changed here, see {@link #refusal}; or if its
   *     directory has something else than the table, such as snapshots, or is being changed
   */
  public boolean drop(String keyspace, String table) throws IOException {
    requireChangeable();
    Optional<Found> found = find(keyspace, table);
    if (found.isEmpty()) {
      return false;
    }
    Optional<String> linked = refusal(keyspace, found.get());
    if (linked.isPresent()) {
      throw new IllegalArgumentException(linked.get());
    }
    Directory root = NioDirectory.openExisting(Storage.localPath(path));
    TableRemoval.remove(root.existingDirectory(keyspace), found.get().name());
    return true;
  }
}
