package io.siltstone.kafka.streams.host;

import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The marker file of a store in the directory of its task: it names the table of the store. Kafka
 * wipes a store by deleting this directory, so a table whose marker is gone, or names another
 * table, is of no use any more.
 *
 * <pre>
 *   t0_1_7f3c2a90b1de4c55 counts key-value     keyspace, table and format of the entries
 * </pre>
 *
 * <p>Source: StateManagerUtil and StateDirectory of Kafka 4.4, which delete directories of tasks as
 * a whole.
 */
final class Marker {
  /** The directory of markers in that of a task, as RocksDB's stores have one. */
  static final String DIRECTORY = "siltstone";

  private static final Pattern CONTENT = Pattern.compile("([a-z0-9_]+) ([a-z0-9_]+) (\\S+)\n");
  private static final int SHOWN_LENGTH = 80;
  private static final String TEMPORARY = "~";

  private final Path directory;
  private final String file;

  /**
   * The content of a marker.
   *
   * @param keyspace of the table, which has no other
   * @param table the name of the table
   * @param format of its entries
   */
  record Content(String keyspace, String table, String format) {
    private String text() {
      return keyspace + " " + table + " " + format + "\n";
    }
  }

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

  /** Returns the path without symbolic links, if the directory of the task exists. */
  Path realPath() throws IOException {
    Path task = directory.getParent();
    if (task != null) {
      try {
        return task.toRealPath().resolve(DIRECTORY).resolve(file);
      } catch (NoSuchFileException e) {
        // Created with the marker.
      }
    }
    return path().toAbsolutePath().normalize();
  }

  /**
   * Returns what the marker says; null if there is none.
   *
   * @throws CorruptFileException if it cannot be read, or is no marker
   */
  @Nullable Content read() throws CorruptFileException {
    String text;
    try {
      text = TextFile.read(NioDirectory.openExisting(directory), file);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new CorruptFileException(
          path().toString(),
          CorruptFileException.WHOLE_FILE,
          "the marker of a store cannot be read: " + e.getMessage(),
          e);
    }
    Matcher content = CONTENT.matcher(text);
    if (!content.matches()) {
      throw new CorruptFileException(
          path().toString(),
          CorruptFileException.WHOLE_FILE,
          "the marker of a store has '"
              + text.substring(0, Math.min(text.length(), SHOWN_LENGTH))
              + "', expected the names of keyspace and table and a format, and the end of the"
              + " line");
    }
    return new Content(content.group(1), content.group(2), content.group(3));
  }

  /**
   * Writes the marker as a whole or not at all. It is not synced: if the power fails before the
   * operating system has written it, the marker may be missing, empty or the one of before, which
   * only means that the store is restored. Each sync takes longer than all the rest.
   */
  void write(Content content) throws IOException {
    Directory markers = directory();
    // No store can have this name, as that of a topic has no such character.
    String temporary = file + TEMPORARY;
    if (markers.exists(temporary)) {
      markers.delete(temporary);
    }
    try (WritableFile marker = markers.create(temporary, WriteIntent.OTHER)) {
      marker.write(ByteBuffer.wrap(content.text().getBytes(StandardCharsets.UTF_8)));
    }
    markers.rename(temporary, file);
  }

  private Directory directory() throws IOException {
    Path task = directory.getParent();
    try {
      if (task != null) {
        return NioDirectory.openExisting(task).directory(DIRECTORY);
      }
    } catch (NoSuchFileException e) {
      // Created below with its parents.
    }
    return NioDirectory.open(directory);
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
