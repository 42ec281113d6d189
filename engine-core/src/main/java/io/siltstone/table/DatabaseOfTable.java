package io.siltstone.table;

import io.siltstone.catalog.Identity;
import io.siltstone.io.Directory;
import io.siltstone.liveset.AtomicFlushes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** The database to which the directory of a table belongs, found by its path. */
public final class DatabaseOfTable {
  // data, the keyspace, and the table.
  private static final int DEPTH = 3;

  private DatabaseOfTable() {}

  /** Returns the directory of the database, or empty if the table belongs to none. */
  public static Optional<Directory> find(Path table, PathFiles files) throws IOException {
    Path root = table.toAbsolutePath().normalize();
    for (int i = 0; i < DEPTH && root != null; i++) {
      root = root.getParent();
    }
    if (root == null) {
      return Optional.empty();
    }
    Directory above = files.openExisting(root);
    return Identity.isIn(above) ? Optional.of(above) : Optional.empty();
  }

  /**
   * Returns the names of the transaction logs that the last atomic flush of the database has
   * committed: if a crash has interrupted it, they do not say so themselves.
   */
  public static Set<String> committed(Path table, PathFiles files) throws IOException {
    Optional<Directory> database = find(table, files);
    return database.isEmpty() ? Set.of() : AtomicFlushes.committed(database.get());
  }
}
