package io.siltstone.tools.terminal;

import io.siltstone.catalog.Catalog;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells directories of databases from those of their tables, which have their own life. */
public final class DatabaseDirectory {
  /** What fsck found of ext4, in the root of a volume. */
  public static final String LOST_AND_FOUND = "lost+found";

  private static final String IDENTITY = "siltstone.properties";
  private static final Set<String> ASIDE =
      Set.of("snapshots", "backups", "quarantine", "set-aside", LOST_AND_FOUND);

  /** Of a table: directory of its keyspace, {@code data}, database. */
  private static final int DEPTH = 3;

  private DatabaseDirectory() {}

  /** Whether it is a database. */
  public static boolean is(Path directory) {
    return Files.exists(directory.resolve(IDENTITY));
  }

  /**
   * Whether it lies below a table and is not of it: copies, what is damaged, and what ext4 has in
   * the root of a volume, which may be root's alone.
   */
  public static boolean isAside(Path directory) {
    return ASIDE.contains(String.valueOf(directory.getFileName()));
  }

  /** Where a database has the SSTables of a table. */
  public static Path ofTable(Path database, TableSchema schema) {
    return database
        .resolve("data")
        .resolve(schema.keyspace())
        .resolve(Catalog.directoryName(schema));
  }

  /**
   * Refuses what lies in a database and is none: only the database knows which of its files are
   * live.
   *
   * @throws UsageException if it does
   */
  public static void requireNotWithin(Path directory) throws IOException {
    Path database = above(directory);
    if (database != null) {
      throw new UsageException(
          directory + " is a table of the database " + database + ": name that, and --table");
    }
  }

  /**
   * Refuses a database, and what lies in one: only the database knows which numbers its files may
   * have.
   *
   * @throws UsageException if it is, or does
   */
  public static void requireOutside(Path directory) throws IOException {
    Path database = is(directory) ? directory : above(directory);
    if (database != null) {
      throw new UsageException(
          directory
              + (is(directory) ? " is a database" : " lies in the database " + database)
              + ", which alone writes there: name a directory of its own, and have the database"
              + " take it in by Table.importTables");
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

  /** Without symbolic links, as far as it is there. */
  private static Path real(Path absolute) throws IOException {
    Path parent = absolute.getParent();
    Path name = absolute.getFileName();
    return Files.exists(absolute) || parent == null || name == null
        ? absolute.toRealPath()
        : real(parent).resolve(name);
  }
}
