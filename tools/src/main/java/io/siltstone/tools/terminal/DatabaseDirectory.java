package io.siltstone.tools.terminal;

import io.siltstone.catalog.Catalog;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTableQuarantine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes directories of databases from those of their tables, which commands must not open
 * on their own.
 */
public final class DatabaseDirectory {
  /** The file that every database has. */
  static final String IDENTITY = "siltstone.properties";

  /**
   * Directories that contain no live SSTables: snapshots, backups, the quarantine, and the files
   * recovered by fsck, which ext4 has in the root of a volume and only root may be allowed to read.
   */
  private static final Set<String> ASIDE =
      Set.of(
          "snapshots",
          "backups",
          SSTableQuarantine.DIRECTORY,
          SSTableQuarantine.EARLIER_DIRECTORY,
          "lost+found");

  /**
   * Number of directories from a table up to its database: the keyspace, {@code data}, the
   * database.
   */
  private static final int DEPTH = 3;

  private DatabaseDirectory() {}

  /** Returns whether the directory is a database. */
  public static boolean is(Path directory) {
    return Files.exists(directory.resolve(IDENTITY));
  }

  /**
   * Returns whether a search for SSTables descends to a directory. It does not if the directory is
   * kept aside, as the quarantine is, or has the files of an index, whose directory Cassandra hides
   * with a leading dot. A directory that the user names is searched, whatever its name.
   */
  public static boolean isSearched(Path directory) {
    String name = String.valueOf(directory.getFileName());
    return !name.startsWith(".") && !ASIDE.contains(name);
  }

  /**
   * Returns the arguments that name the table of a data file to a command: the directory, or of a
   * table in a database the database and the table.
   */
  static String argumentsFor(Path data) {
    Path table = data.toAbsolutePath().normalize().getParent();
    Path database = table == null ? null : databaseOf(table);
    if (table != null && database != null) {
      Path keyspace = table.getParent();
      String withId = String.valueOf(table.getFileName());
      return database
          + " --table "
          + (keyspace == null ? "" : keyspace.getFileName() + ".")
          + withId.substring(0, Math.max(0, withId.lastIndexOf('-')));
    }
    return data.getParent() == null ? "." : data.getParent().toString();
  }

  /** Returns the directory of a table within a database. */
  public static Path ofTable(Path database, TableSchema schema) {
    return database
        .resolve("data")
        .resolve(schema.keyspace())
        .resolve(Catalog.directoryName(schema));
  }

  /**
   * Rejects a directory that lies in a database and is not one, because only the database knows
   * which of its files are live.
   *
   * @throws UsageException if it lies in a database
   */
  public static void requireNotWithin(Path directory) throws IOException {
    Path database = above(directory);
    if (database != null) {
      throw new UsageException(
          directory
              + " is a table of the database "
              + database
              + ": name the database, and choose the table with --table");
    }
  }

  /**
   * Rejects a database and directories within one, because only the database knows which
   * generations are free.
   *
   * @throws UsageException if it is a database or lies in one
   */
  public static void requireOutside(Path directory) throws IOException {
    Path database = is(directory) ? directory : above(directory);
    if (database != null) {
      throw new UsageException(
          directory
              + (is(directory) ? " is a database" : " lies in the database " + database)
              + ", to which only the database may write: choose another directory, and"
              + " import it with Table.importTables");
    }
  }

  private static @Nullable Path above(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Path named = databaseOf(absolute);
    return named != null ? named : databaseOf(real(absolute));
  }

  private static @Nullable Path databaseOf(Path table) {
    Path above = table.getParent();
    for (int i = 0; i < DEPTH && above != null; i++, above = above.getParent()) {
      if (is(above)) {
        return above;
      }
    }
    return null;
  }

  /** Resolves symbolic links of the part of a path that exists. */
  private static Path real(Path absolute) throws IOException {
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    return Files.exists(absolute) || parent == null || name == null
        ? absolute.toRealPath()
        : real(parent).resolve(name);
  }
}
