package io.siltstone.catalog;

import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables whose directories have not changed since the database was closed cleanly. */
@FunctionalInterface
public interface UnchangedTables {
  /** None of them. */
  UnchangedTables NONE = (id, directory) -> null;

  /**
   * Returns what is in the directory of a table if no file was added, removed or written since the
   * clean close; otherwise null. May be called by several threads.
   *
   * @param id in the directory's name
   */
  @Nullable UnchangedDirectory find(UUID id, Directory directory) throws IOException;
}
