package io.siltstone.tools.terminal;

import io.siltstone.catalog.Catalog;
import io.siltstone.schema.TableSchema;
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
  /** The directory for files recovered by fsck, which ext4 has in the root of a volume. */
  public static final String LOST_AND_FOUND = "lost+found";

  private static final String IDENTITY = "siltstone.properties";
  private static final Set<String> ASIDE =
      Set.of("snapshots", "backups", "quarantine", "set-aside", LOST_AND_FOUND);

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
   * Returns whether a directory below a table does not contain SSTables of the table: backups,
   * quarantined files, or what ext4 has in the root of a volume, which only root may be allowed to
   * read.
   */
  public static boolean isAside(Path directory) {
    return ASIDE.contains(String.valueOf(directory.getFileName()));
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
