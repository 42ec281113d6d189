package io.siltstone.kafka.streams.host;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The marker file of a store in the directory of its task: it names the table of the store. Kafka
 * wipes a store by deleting this directory, so a table whose marker is gone, or names another
 * table, is of no use any more.
 *
 * <p>Source: StateManagerUtil and StateDirectory of Kafka 4.4, which delete directories of tasks as
 * a whole.
 */
final class Marker {
  /** The directory of markers in that of a task, as RocksDB's stores have one. */
  static final String DIRECTORY = "siltstone";

  private final Path directory;
  private final String file;

  private Marker(Path directory, String file) {
    this.directory = directory;
    this.file = file;
  }

  static Marker of(StoreName store) {
    return new Marker(store.taskDirectory().resolve(DIRECTORY), store.name());
  }

  static Marker at(Path path) {
    Path parent = path.getParent();
    Path name = path.getFileName();
    if (parent == null || name == null) {
      throw new IllegalArgumentException("a marker " + path + " without a directory");
    }
    return new Marker(parent, name.toString());
  }

  Path path() {
    return directory.resolve(file);
  }

  /**
   * Returns the name of the table with its format; null if there is no marker.
   *
   * @throws IOException if it cannot be read
   */
  @Nullable String read() throws IOException {
    try {
      return TextFile.read(NioDirectory.openExisting(directory), file).strip();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Writes the name of the table with its format, durably. */
  void write(String table) throws IOException {
    Directory markers = NioDirectory.open(directory);
    TextFile.replace(markers, file, table + "\n");
  }

  /** Removes the marker, so that the table is not used again. */
  void delete() throws IOException {
    try {
      NioDirectory.openExisting(directory).delete(file);
    } catch (NoSuchFileException e) {
      // Kafka may have deleted the directory of the task.
    }
  }

  /**
   * Returns whether there is the directory that has the one of the task. If it is missing, the
   * application may be somewhere else, rather than the store be gone.
   */
  boolean hasApplication() throws IOException {
    Path task = directory.getParent();
    Path application = task == null ? null : task.getParent();
    if (application == null) {
      return false;
    }
    try {
      NioDirectory.openExisting(application);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
