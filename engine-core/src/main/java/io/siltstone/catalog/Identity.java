package io.siltstone.catalog;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.partitioner.Partitioner;
import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a database, which never changes, in the file {@code siltstone.properties}.
 *
 * @param hostId by which SSTables name the writer of the commit log that they contain; a copy of
 *     the database has the same
 * @param partitioner that orders the partitions of all its tables
 */
public record Identity(UUID hostId, Partitioner partitioner) {
  private static final String FILE = "siltstone.properties";
  private static final String HOST_ID = "host_id";
  private static final String PARTITIONER = "partitioner";

  /** Returns whether a directory is that of a database. */
  public static boolean isIn(Directory directory) throws IOException {
    return directory.exists(FILE);
  }

  /**
   * Reads the identity of the database in a directory; empty if there is none.
   *
   * @throws IOException if the file is damaged, naming it and the line that is wrong
   */
  public static Optional<Identity> read(Directory directory) throws IOException {
    if (!isIn(directory)) {
      return Optional.empty();
    }
    String path = directory.path() + "/" + FILE;
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(TextFile.read(directory, FILE)));
      return Optional.of(
          new Identity(
              UUID.fromString(required(properties, HOST_ID)),
              Partitioner.ofClassName(required(properties, PARTITIONER))));
    } catch (IllegalArgumentException e) {
      throw new IOException(path + ": " + e.getMessage(), e);
    }
  }

  private static String required(Properties properties, String name) {
    @Nullable String value = properties.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException("has no line " + name + "=...");
    }
    return value;
  }

  /** Writes the file durably into a directory that has none. */
  public void write(Directory directory) throws IOException {
    String text =
        HOST_ID + "=" + hostId + "\n" + PARTITIONER + "=" + partitioner.className() + "\n";
    TextFile.replace(directory, FILE, text);
  }
}
