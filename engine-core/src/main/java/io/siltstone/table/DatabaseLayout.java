package io.siltstone.table;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.DefinitionSource;
import io.siltstone.catalog.Identity;
import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What lies where in the directory of a database.
 *
 * <pre>
 *   lock                       {@link DatabaseLock}, held by the process that writes
 *   siltstone.properties       {@link Identity}; there is a database if and only if it is there
 *   data/writer.lock           likewise
 *   data/KEYSPACE/TABLE-ID/    {@link Catalog}
 *   commitlog/                 {@link io.siltstone.commitlog.segment.CommitLog}
 *   commitlog-set-aside/       segments whose changes could not all be replayed
 * </pre>
 *
 * @param root of the database
 * @param identity of it
 * @param assumption what a lenient opening has assumed of the identity
 */
public record DatabaseLayout(
    Directory root, Identity identity, Optional<RecoveryAssumed> assumption) {
  private static final String DATA = "data";
  private static final String COMMIT_LOG = "commitlog";
  private static final String COMMIT_LOG_ASIDE = "commitlog-set-aside";
  private static final String IDENTITY = "siltstone.properties";

  // What a creation that was interrupted may have left; and what ext4 makes in a volume's root.
  private static final Set<String> IGNORED =
      Set.of(DatabaseLock.FILE, IDENTITY + ".tmp", "lost+found");

  private static final int MOST_NAMES = 5;
  private static final String NO_DATABASE = "there is no database";

  /**
   * Looks for the database in a directory, and leaves nothing behind.
   *
   * @return empty if there is none, and one may be made
   * @throws NoSuchFileException if there is none, and none is wanted
   * @throws IOException if there is something else
   */
  public static Optional<Identity> find(Directory root, boolean createIfMissing)
      throws IOException {
    // Listed first: of a database that is being made meanwhile, the identity comes before all else.
    List<String> others =
        Stream.concat(root.files().stream(), root.directories().stream())
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
   * Returns the exception for a database that is missing with its directory.
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

  /** How to open what is there, if that is a table. */
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
   * Returns the database of a directory, which is made if there is none and that is wanted.
   *
   * @param partitioner that it must have, or null for any; of a new one {@code null} means Murmur3
   * @throws NoSuchFileException if there is none and none is wanted
   * @throws IOException if there is something else, or it has another partitioner
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
   * Returns the database of a directory whose identity is missing or damaged, as far as its tables
   * tell.
   *
   * @param partitioner that it must have, or null for any
   * @return empty if the identity is there, or there are no tables: then {@link #open} says more
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

  /** Makes an empty database in an empty directory, durably. */
  public static DatabaseLayout create(Directory root, Partitioner partitioner) throws IOException {
    Identity identity = new Identity(UUID.randomUUID(), partitioner);
    identity.write(root);
    return new DatabaseLayout(root, identity, Optional.empty());
  }

  /**
   * The partitioner of the SSTables in a table's directory, as the first says that can be read;
   * {@link Partitioner#MURMUR3} if there are none.
   *
   * @param isLenient whether SSTables that cannot be read are set aside: then any partitioner will
   *     do if none can be
   * @throws IOException if it can be read from none of them; tells why of the first
   */
  public static Partitioner partitionerOf(Directory table, boolean isLenient) throws IOException {
    IOException failure = null;
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.STATISTICS)) {
        try {
          return partitionerOf(table, name);
        } catch (CorruptSSTableException | UnsupportedSSTableException e) {
          // Whether a damaged one is refused or left aside is for those to say who open it.
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
   * The version in which to write beside the SSTables of a table's directory, so that whoever wrote
   * those can read it: the greatest of theirs, or the least after it that is written. That of a
   * directory without any is the default.
   */
  public static FormatVersion versionOf(Directory table) throws IOException {
    FormatVersion greatest = null;
    for (String name : table.files()) {
      if (Descriptor.isComponent(name, Component.DATA)) {
        try {
          FormatVersion found = Descriptor.parse(table, name).version();
          greatest = greatest == null || found.compareTo(greatest) > 0 ? found : greatest;
        } catch (IOException e) {
          // Whether one that is not supported is refused or left aside is for those who open it.
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
   * Empties a directory after an attempt to make a database there has failed.
   *
   * @param failure gets that of cleaning up suppressed
   */
  public static void removeRemains(Directory root, Throwable failure) {
    try {
      removeAll(root);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void removeAll(Directory directory) throws IOException {
    for (String name : directory.files()) {
      directory.delete(name);
    }
    for (String name : directory.directories()) {
      removeAll(directory.directory(name));
      directory.deleteDirectory(name);
    }
  }

  /** Where the tables of a database in that directory are, made if it is missing. */
  public static Directory dataOf(Directory root) throws IOException {
    Directory data = root.directory(DATA);
    root.sync();
    return data;
  }

  /**
   * The tables' directory, made if it is missing.
   *
   * @throws NoSuchFileException if it is missing, but there is a commit log, which is made after it
   */
  public Directory data() throws IOException {
    Set<String> present = Set.copyOf(root.directories());
    if (!present.contains(DATA)
        && present.contains(COMMIT_LOG)
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

  /** Where segments are kept whose changes could not all be replayed; made if it is missing. */
  public Directory commitLogAside() throws IOException {
    return child(COMMIT_LOG_ASIDE);
  }

  /** The commit log's directory, made if it is missing. */
  public Directory commitLog() throws IOException {
    return child(COMMIT_LOG);
  }

  private Directory child(String name) throws IOException {
    Directory child = root.directory(name);
    // Also of one that is there: who made it may have died before.
    root.sync();
    return child;
  }

  /** The tables' directory, if there is one. */
  public Optional<Directory> existingData() throws IOException {
    return existing(DATA);
  }

  /** The commit log's directory, if there is one. */
  public Optional<Directory> existingCommitLog() throws IOException {
    return existing(COMMIT_LOG);
  }

  /**
   * Returns what tells how tables were defined whose definitions cannot be read.
   *
   * @return null if the opening is strict
   */
  public @Nullable DefinitionSource definitions(boolean isLenient) {
    return isLenient ? new LoggedDefinitions(this) : null;
  }

  private Optional<Directory> existing(String name) throws IOException {
    return root.directories().contains(name) ? Optional.of(root.directory(name)) : Optional.empty();
  }
}
