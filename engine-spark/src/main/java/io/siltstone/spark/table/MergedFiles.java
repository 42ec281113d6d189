package io.siltstone.spark.table;

import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import java.io.IOException;
import java.util.List;

/** Directories of a table as one, whose SSTables have names that differ. */
public final class MergedFiles {
  private MergedFiles() {}

  /**
   * Returns a directory with the live SSTables of several.
   *
   * @param path for messages
   */
  public static Directory of(
      Storage storage, TableSchema schema, String path, List<TableDirectory> directories)
      throws IOException {
    LiveFiles files = LiveFiles.of(storage, schema, directories, false);
    return SourceTable.directory(storage, path, files.sstables(), files.others(), true);
  }
}
