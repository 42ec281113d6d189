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
 * Which SSTables a job has failed for, if it has for any, inputs or others that it has read: to
 * take them again would fail again.
 *
 * @param tables those that are damaged, or cannot be read
 * @param path of the file; null if it is not known which it is
 * @param mayPass whether they are only unreadable, which may pass, and nothing says that they are
 *     damaged
 */
record BlamedSSTables(List<Descriptor> tables, @Nullable String path, boolean mayPass) {
  private static final BlamedSSTables NOBODY = new BlamedSSTables(List.of(), null, false);

  /**
   * Finds it.
   *
   * @param directory of the table
   * @param inputs of the job
   * @param live all SSTables of the table
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
    return NOBODY;
  }

  private static List<Descriptor> tablesOf(String path, Directory directory, LiveTables live) {
    return live.tables().stream()
        .map(LiveTable::descriptor)
        .filter(table -> isOf(directory, table, path))
        .toList();
  }

  /** Bytes that are not what was written, or that make no sense. */
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
