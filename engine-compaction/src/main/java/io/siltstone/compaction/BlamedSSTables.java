package io.siltstone.compaction;

import io.siltstone.compaction.task.CompactionCheckException;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.UnreadableFileException;
import io.siltstone.spi.LiveTable;
import io.siltstone.spi.LiveTables;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SSTables that caused a compaction to fail, inputs or others that it read, so that no job
 * takes them again and fails again.
 *
 * @param tables the SSTables that are damaged or cannot be read; empty if the failure names none
 * @param path the path of the file; null if it is not known
 * @param mayPass whether the file was only unreadable, which may pass, and nothing shows that it is
 *     damaged
 */
record BlamedSSTables(List<Descriptor> tables, @Nullable String path, boolean mayPass) {
  private static final BlamedSSTables NONE = new BlamedSSTables(List.of(), null, false);

  /**
   * Finds the SSTables from the failure and its causes.
   *
   * @param directory the directory of the table
   * @param inputs the inputs of the job
   * @param live all live SSTables of the table
   */
  static BlamedSSTables of(
      Throwable failure, Directory directory, List<Descriptor> inputs, LiveTables live) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnreadableFileException unreadable) {
        return new BlamedSSTables(
            tablesOf(unreadable.path(), directory, live), unreadable.path(), true);
      }
      String path = damagedFile(cause);
      if (path != null) {
        return new BlamedSSTables(tablesOf(path, directory, live), path, false);
      }
      if (cause instanceof CompactionCheckException check) {
        return new BlamedSSTables(check.tables().isEmpty() ? inputs : check.tables(), null, false);
      }
    }
    return NONE;
  }

  private static List<Descriptor> tablesOf(String path, Directory directory, LiveTables live) {
    return live.tables().stream()
        .map(LiveTable::descriptor)
        .filter(table -> isOf(directory, table, path))
        .toList();
  }

  /** Returns the path of a file with invalid content; null if the failure reports none. */
  private static @Nullable String damagedFile(Throwable failure) {
    if (failure instanceof CorruptFileException damage) {
      return damage.path();
    }
    return failure instanceof CorruptSSTableException damage ? damage.path() : null;
  }

  private static boolean isOf(Directory directory, Descriptor table, String path) {
    return path.startsWith(directory.path() + "/" + table + "-");
  }
}
