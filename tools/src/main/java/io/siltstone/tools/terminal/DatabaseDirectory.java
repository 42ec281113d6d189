package io.siltstone.tools.terminal;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Tells directories of databases from those of their tables, which have their own life. */
public final class DatabaseDirectory {
  private static final String IDENTITY = "siltstone.properties";

  /** Of a table: directory of its keyspace, {@code data}, database. */
  private static final int DEPTH = 3;

  private DatabaseDirectory() {}

  /** Whether it is a database. */
  public static boolean is(Path directory) {
    return Files.exists(directory.resolve(IDENTITY));
  }

  /**
   * Refuses what lies in a database and is none: only the database knows which of its files are
   * live.
   *
   * @throws UsageException if it does
   */
  public static void requireNotWithin(Path directory) {
    Path database = above(directory);
    if (database != null) {
      throw new UsageException(
          directory + " is a table of the database " + database + ": name that, and --table");
    }
  }

  private static @Nullable Path above(Path directory) {
    Path above = directory.toAbsolutePath().normalize().getParent();
    for (int i = 0; i < DEPTH && above != null; i++, above = above.getParent()) {
      if (is(above)) {
        return above;
      }
    }
    return null;
  }
}
