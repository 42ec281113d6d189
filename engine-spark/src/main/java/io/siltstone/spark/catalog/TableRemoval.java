package io.siltstone.spark.catalog;

import io.siltstone.catalog.Catalog;
import io.siltstone.catalog.TableLock;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.liveset.FlushedPositionStore;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.Recovery;
import io.siltstone.liveset.RetentionFloorStore;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Removes the directory of a table that no database has. What is not of the table itself, such as a
 * snapshot, is not removed, and neither is the table then.
 */
final class TableRemoval {
  private static final String BACKUPS = "backups";
  private static final Set<String> FILES =
      Set.of(
          Catalog.SCHEMA_FILE,
          FlushedPositionStore.FILE,
          KeyRangeDeletionStore.FILE,
          RetentionFloorStore.FILE);

  private TableRemoval() {}

  /**
   * Removes the directory. First it gets a mark, by which it is no table any more; so a crash
   * leaves the whole table or none.
   *
   * @throws IllegalArgumentException if it has something that is not removed; the message names it
   * @throws IOException if another process changes it
   */
  static void remove(Directory keyspace, String name) throws IOException {
    Directory table = keyspace.existingDirectory(name);
    try (TableLock lock = TableLock.take(table)) {
      List<String> files =
          table.files().stream().filter(file -> !file.equals(TableLock.FILE)).toList();
      List<String> directories = table.directories();
      requireRemovable(table, files, directories);
      try (WritableFile mark = table.create(Catalog.DROPPED_FILE, WriteIntent.OTHER)) {
        mark.sync();
      }
      table.sync();
      lock.requireOwned();
      for (String file : files) {
        table.delete(file);
      }
      for (String child : directories) {
        table.deleteDirectory(child);
      }
    }
    table.sync();
    table.delete(Catalog.DROPPED_FILE);
    keyspace.deleteDirectory(name);
    keyspace.sync();
  }

  private static void requireRemovable(
      Directory table, List<String> files, List<String> directories) throws IOException {
    for (String child : directories) {
      // Cassandra makes this one with each table.
      Directory directory = table.existingDirectory(child);
      if (!child.equals(BACKUPS)
          || !directory.files().isEmpty()
          || !directory.directories().isEmpty()) {
        throw refused(table, child, "a directory that is not of the table itself");
      }
    }
    for (String file : files) {
      if (Recovery.isTransactionLog(file)) {
        throw refused(table, file, "the log of a change that is running or was interrupted");
      }
      if (!FILES.contains(file) && !isOfSSTable(file)) {
        throw refused(table, file, "which is not of the table");
      }
    }
  }

  private static boolean isOfSSTable(String file) {
    try {
      var unused = Descriptor.parse(file);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static IllegalArgumentException refused(Directory table, String what, String why) {
    return new IllegalArgumentException(
        table.path() + " is not removed, because it has " + what + ", " + why);
  }
}
