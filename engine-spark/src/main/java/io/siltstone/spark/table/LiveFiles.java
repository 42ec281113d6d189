package io.siltstone.spark.table;

import io.siltstone.OfflineTable;
import io.siltstone.liveset.KeyRangeDeletionStore;
import io.siltstone.liveset.RetentionFloorStore;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.ListedDirectory;
import io.siltstone.spark.files.ListedFile;
import io.siltstone.spark.files.ListedSSTable;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the files of directories that belong to a table as it is now: its live SSTables, and what
 * Siltstone has beside them that deletes rows. SSTables of several directories get other names,
 * since the same name in two directories is that of two SSTables.
 */
final class LiveFiles {
  private static final List<String> DELETIONS =
      List.of(KeyRangeDeletionStore.FILE, RetentionFloorStore.FILE);

  private final Storage storage;
  private final TableSchema schema;
  private final boolean skipsDamage;
  private final List<ListedSSTable> sstables = new ArrayList<>();
  private final List<ListedFile> others = new ArrayList<>();
  private final List<SkippedSSTable> skipped = new ArrayList<>();

  private LiveFiles(Storage storage, TableSchema schema, boolean skipsDamage) {
    this.storage = storage;
    this.schema = schema;
    this.skipsDamage = skipsDamage;
  }

  /**
   * Chooses the files.
   *
   * @param skipsDamage whether SSTables without a data file are skipped
   * @throws CorruptSSTableException if an SSTable has no data file
   * @throws IOException if a directory cannot be merged with others, or the log of a transaction is
   *     damaged; the message names the file
   */
  static LiveFiles of(
      Storage storage, TableSchema schema, List<TableDirectory> directories, boolean skipsDamage)
      throws IOException {
    LiveFiles files = new LiveFiles(storage, schema, skipsDamage);
    boolean isMerged = directories.size() > 1;
    for (TableDirectory directory : directories) {
      files.addDeletions(directory, isMerged);
      for (ListedSSTable sstable : files.live(directory)) {
        files.sstables.add(isMerged ? sstable.as(files.nextName(sstable)) : sstable);
      }
    }
    return files;
  }

  private String nextName(ListedSSTable sstable) {
    Descriptor own = Descriptor.parse(sstable.name() + "-" + Component.DATA.fileName());
    return Descriptor.of(own.version(), sstables.size() + 1L).toString();
  }

  private void addDeletions(TableDirectory directory, boolean isMerged) throws IOException {
    for (String name : DELETIONS) {
      ListedFile file = directory.file(name).orElse(null);
      if (file != null) {
        if (isMerged) {
          throw new IOException(
              file.path()
                  + " deletes rows of the table in this directory, which can be read alone only");
        }
        others.add(file);
      }
    }
  }

  private List<ListedSSTable> live(TableDirectory directory) throws IOException {
    List<ListedSSTable> all = directory.sstables();
    if (directory.hasTransactions()) {
      Set<String> live = liveNames(directory);
      return all.stream().filter(sstable -> live.contains(sstable.name())).toList();
    }
    List<ListedSSTable> whole = new ArrayList<>();
    for (ListedSSTable sstable : all) {
      if (sstable.has(Component.DATA)) {
        whole.add(sstable);
      } else if (skipsDamage) {
        skipped.add(new SkippedSSTable(sstable, "the data file is missing"));
      } else {
        throw CorruptSSTableException.missing(
            sstable.path(Component.DATA), Component.DATA, "the file is missing");
      }
    }
    return whole;
  }

  private Set<String> liveNames(TableDirectory directory) throws IOException {
    ListedDirectory listed = new ListedDirectory(storage, directory.path(), directory.files());
    try (OfflineTable table = SourceTable.open(listed, schema)) {
      return table.live().tables().stream()
          .map(LiveTable::descriptor)
          .map(Descriptor::toString)
          .collect(Collectors.toSet());
    }
  }

  List<ListedSSTable> sstables() {
    return sstables;
  }

  /** Returns the files that delete rows. */
  List<ListedFile> others() {
    return others;
  }

  List<SkippedSSTable> skipped() {
    return skipped;
  }
}
