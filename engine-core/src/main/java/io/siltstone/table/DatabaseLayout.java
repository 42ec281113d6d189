package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.DefinitionSource;
import io.siltstone.catalog.Identity;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.files.DirectoryTree;
import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.sstable.metadata.Statistics;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a database's directory.
 *
 * <pre>
 *   lock                       {@link DatabaseLock}, held by the process that writes
 *   siltstone.properties       {@link Identity}; there is a database if and only if it is there
 *   data/writer.lock           held by the same process
 *   data/KEYSPACE/TABLE-ID/    {@link Catalog}
 *   commitlog/                 {@link io.siltstone.commitlog.segment.CommitLog}
 *   commitlog-quarantine/       segments whose changes could not all be replayed
 * </pre>
 *
 * Immutable, safe for all threads.
 *
 * @param root of the database
 * @param identity of the database
 * @param assumption what a lenient opening has assumed about the identity
 */
public record DatabaseLayout(
    Directory root, Identity identity, Optional<RecoveryAssumed> assumption) {
  /** The file that makes a directory a database. */
  public static final String IDENTITY = "siltstone.properties";

  private static final String DATA = "data";
  private static final String COMMIT_LOG = "commitlog";
  private static final String COMMIT_LOG_ASIDE = "commitlog-quarantine";

  // What an interrupted creation may have left, and what ext4 creates in a volume's root.
  private static final Set<String> IGNORED =
      Set.of(DatabaseLock.FILE, IDENTITY + ".tmp", "lost+found");

  private static final int MOST_NAMES = 5;
  private static final String NO_DATABASE = "there is no database";

  /**
   * Looks for a database in a directory, without changing anything.
   *
   * @return empty if there is none, and one may be created
   * @throws NoSuchFileException if there is none, and none is to be created
   * @throws IOException if the directory contains something else
   */
  public static Optional<Identity> find(Directory root, boolean createIfMissing)
      throws IOException {
    // Listed first: if a database is being created meanwhile, its identity is written before all
    // else.
    List<String> others =
        root.entries().stream()
            .map(Directory.Entry::name)
            .filter(name -> !IGNORED.contains(name))
            .toList();
    Optional<Identity> found = Identity.read(root);
    if (found.isPresent() || (createIfMissing && others.isEmpty())) {
      return found;
    }
    String hint = hintOfTable(others);
    if (!createIfMissing) {
      throw new NoSuchFileException(root.path(), null, NO_DATABASE + hint);
    }
    throw new IOException(
        root.path() + " is neither empty nor a database: it has " + listed(others) + hint);
  }

  /**
   * Returns the exception for a database whose directory is missing.
   *
   * @param isReadOnly whether it was to be opened for reading only, so that none is created
   */
  public static NoSuchFileException missing(String path, boolean isReadOnly) {
    return new NoSuchFileException(
        path,
        null,
        NO_DATABASE
            + ", the directory is missing; none is created "
            + (isReadOnly ? "for reading only" : "with createIfMissing(false)"));
  }

  /** Returns a hint how to open the directory if it is that of a table. */
  private static String hintOfTable(List<String> names) {
    if (names.contains(DATA)) {
      return "; if its " + IDENTITY + " was lost, a lenient opening looks for it in the tables";
    }
    String taken = ", or taken into a table of a database by Table.importTables";
    if (names.contains(Catalog.SCHEMA_FILE)) {
      return "; it is the directory of a table, to be opened with readOnly(true)" + taken;
    }
    return names.stream().anyMatch(name -> Descriptor.isComponent(name, Component.DATA))
        ? "; it is the directory of a table, to be opened by Database.openTable" + taken
        : "";
  }

  private static String listed(List<String> names) {
    int more = names.size() - MOST_NAMES;
    return names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /**
   * Returns the database in a directory; creates one if there is none and that is wanted.
   *
   * @param partitioner that it must have, or null for any; null means Murmur3 for a new one
   * @throws NoSuchFileException if there is none and none is to be created
   * @throws IOException if the directory contains something else, or the database has another
   *     partitioner
   */
  public static DatabaseLayout open(
      Directory root, boolean createIfMissing, @Nullable Partitioner partitioner)
      throws IOException {
    Optional<Identity> found = find(root, createIfMissing);
    if (found.isEmpty()) {
      return create(root, partitioner == null ? Partitioner.MURMUR3 : partitioner);
    }
    return of(root, found.get(), partitioner, null);
  }

  private static DatabaseLayout of(
      Directory root,
      Identity identity,
      @Nullable Partitioner partitioner,
      @Nullable RecoveryAssumed assumption)
      throws IOException {
    if (partitioner != null && partitioner != identity.partitioner()) {
      throw new IOException(
          root.path()
              + " is of "
              + identity.partitioner().className()
              + ", asked for is "
              + partitioner.className());
    }
    return new DatabaseLayout(root, identity, Optional.ofNullable(assumption));
  }

  /**
   * Returns the database in a directory whose identity is missing or damaged, as far as its tables
   * reveal the identity.
   *
   * @param partitioner that it must have, or null for any
   * @return empty if the identity is there, or if there are no tables: then {@link #open} gives a
   *     better error
   */
  public static Optional<DatabaseLayout> search(Directory root, @Nullable Partitioner partitioner)
      throws IOException {
    String damage;
    try {
      if (Identity.read(root).isPresent()) {
        return Optional.empty();
      }
      damage = "the file is missing";
    } catch (IOException e) {
      damage = String.valueOf(e.getMessage());
    }
    if (!root.directories().contains(DATA)) {
      return Optional.empty();
    }
    IdentitySearch search = new IdentitySearch();
    Optional<Identity> identity = search.search(root.directory(DATA));
    return identity.isEmpty()
        ? Optional.empty()
        : Optional.of(
            of(
                root,
                identity.get(),
                partitioner,
                new RecoveryAssumed(
                    root.path() + "/" + IDENTITY,
                    damage
                        + "; assumed are "
                        + search.source()
                        + ": "
                        + identity.get().hostId()
                        + " and "
                        + identity.get().partitioner().className())));
  }

  /** Writes an identity that was assumed; a damaged file is kept under another name. */
  public void writeAssumed() throws IOException {
    if (assumption.isPresent()) {
      if (root.exists(IDENTITY)) {
        root.rename(IDENTITY, IDENTITY + ".damaged");
      }
      identity.write(root);
    }
  }

  /** Creates an empty database in an empty directory, durably. */
  public static DatabaseLayout create(Directory root, Partitioner partitioner) throws IOException {
    Identity identity = new Identity(UUID.randomUUID(), partitioner);
    identity.write(root);
    return new DatabaseLayout(root, identity, Optional.empty());
  }

  /**
   * Returns the partitioner of the SSTables in a table's directory, from the first whose statistics
   * can be read; {@link Partitioner#MURMUR3} if there are none.
   *
   * @param isLenient whether SSTables that cannot be read are quarantined: then the default is
   *     returned if none can be read
   * @throws IOException if there are SSTables, and none can be read; with the reason for the first
   */
  public static Partitioner partitionerOf(Directory table, boolean isLenient) throws IOException {
    IOException failure = null;
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.STATISTICS)) {
        try {
          return partitionerOf(table, name);
        } catch (CorruptSSTableException | UnsupportedSSTableException e) {
          // Whether a damaged SSTable is refused or quarantined is decided when it is opened.
          failure = failure == null ? e : failure;
        }
      }
    }
    if (failure != null && !isLenient) {
      throw failure;
    }
    return Partitioner.MURMUR3;
  }

  private static Partitioner partitionerOf(Directory table, String name) throws IOException {
    Statistics statistics = Statistics.read(table, name, Descriptor.parse(table, name).version());
    try {
      return Partitioner.ofClassName(statistics.validation().partitioner());
    } catch (IllegalArgumentException e) {
      throw UnsupportedSSTableException.of(table.path() + "/" + name, e);
    }
  }

  /**
   * Returns the format version for new SSTables in a table's directory, so that the program that
   * wrote those that are there can read them: the greatest of their versions, or the least after it
   * that can be written. Without SSTables it is the default.
   */
  public static FormatVersion versionOf(Directory table) throws IOException {
    FormatVersion greatest = null;
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.DATA)) {
        try {
          FormatVersion found = Descriptor.parse(table, name).version();
          greatest = greatest == null || found.compareTo(greatest) > 0 ? found : greatest;
        } catch (IOException e) {
          // Whether an SSTable of an unsupported version is refused or quarantined is decided when
          // it is opened.
        }
      }
    }
    for (FormatVersion version : FormatVersion.values()) {
      if (greatest != null && version.isWritable() && version.compareTo(greatest) >= 0) {
        return version;
      }
    }
    return FormatVersion.OA;
  }

  /**
   * Empties a directory after the creation of a database in it has failed.
   *
   * @param failure gets failures of the removal suppressed
   */
  public static void removeRemains(Directory root, Throwable failure) {
    try {
      DirectoryTree.empty(root);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the path of a file of a table within its database, with slashes. */
  static String pathOf(TableSchema schema, String file) {
    return String.join("/", DATA, schema.keyspace(), Catalog.directoryName(schema), file);
  }

  /** Returns the path of a segment of the commit log within its database, with slashes. */
  static String pathOfLog(String file) {
    return COMMIT_LOG + "/" + file;
  }

  /** Returns the directory of the tables of a database; creates it if it is missing. */
  public static Directory dataOf(Directory root) throws IOException {
    Directory data = root.directory(DATA);
    root.sync();
    return data;
  }

  /**
   * Returns the directory of the tables; creates it if it is missing.
   *
   * @throws NoSuchFileException if it is missing, but there is a commit log, which is created after
   *     it
   */
  public Directory data() throws IOException {
    if (existing(DATA).isEmpty()
        && existing(COMMIT_LOG).isPresent()
        && !root.directory(COMMIT_LOG).files().isEmpty()) {
      throw new NoSuchFileException(
          root.path() + "/" + DATA,
          null,
          "is missing, but there is a commit log, of which nothing would be left without its tables;"
              + " if these are given up, remove "
              + COMMIT_LOG
              + " too");
    }
    return child(DATA);
  }

  /**
   * Returns the directory for segments whose changes could not all be replayed; creates it if it is
   * missing.
   */
  public Directory commitLogAside() throws IOException {
    return child(COMMIT_LOG_ASIDE);
  }

  /** Returns the directory of the commit log; creates it if it is missing. */
  public Directory commitLog() throws IOException {
    return child(COMMIT_LOG);
  }

  private Directory child(String name) throws IOException {
    // While there is the record of a clean close, all names are synced: the opening before it has
    // done so, and the record is removed before another directory is created.
    if (root.exists(CleanClose.FILE)) {
      Optional<Directory> present = existing(name);
      if (present.isPresent()) {
        return present.get();
      }
      root.delete(CleanClose.FILE);
    }
    Directory child = root.directory(name);
    // Synced even if the directory exists: the process that created it may have died before it did
    // so.
    root.sync();
    return child;
  }

  /** Returns the directory of the tables, if there is one. */
  public Optional<Directory> existingData() throws IOException {
    return existing(DATA);
  }

  /** Returns the directory of the commit log, if there is one. */
  public Optional<Directory> existingCommitLog() throws IOException {
    return existing(COMMIT_LOG);
  }

  /**
   * Returns the source of definitions that cannot be read from the tables' directories.
   *
   * @return null if the opening is strict
   */
  public @Nullable DefinitionSource definitions(boolean isLenient) {
    return isLenient ? new LoggedDefinitions(this) : null;
  }

  private Optional<Directory> existing(String name) throws IOException {
    try {
      return Optional.of(root.existingDirectory(name));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
