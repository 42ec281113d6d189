package io.siltstone.spark.files;

import io.siltstone.files.KeyFile;
import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Opens directories by their paths, on the driver and on executors: those of the machine's file
 * system directly, others through Hadoop's {@code FileSystem}. Safe for use by all threads.
 */
public final class Storage implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String LOCAL = "file";

  // Null if all paths are of the machine's file system: the configuration is large.
  private final @Nullable SerializableConfiguration hadoop;
  private final @Nullable String keyFile;
  // Read by each process anew: keys are not sent.
  private transient @Nullable KeyFile keys;

  private Storage(@Nullable SerializableConfiguration hadoop, @Nullable String keyFile) {
    this.hadoop = hadoop;
    this.keyFile = keyFile;
  }

  /**
   * Returns the storage of some paths with files that are not encrypted.
   *
   * @param configuration that of the session, which knows the file systems
   * @throws IOException if the file system of a path is not known
   */
  public static Storage of(Configuration configuration, List<String> paths) throws IOException {
    return of(configuration, paths, null);
  }

  /**
   * Returns the storage of some paths.
   *
   * @param configuration that of the session, which knows the file systems
   * @param keyFile the path of the file with the keys of encrypted files, which each process reads;
   *     null if they are not encrypted
   * @throws IOException if the file system of a path is not known
   */
  public static Storage of(
      Configuration configuration, List<String> paths, @Nullable String keyFile)
      throws IOException {
    List<String> all = new ArrayList<>(paths);
    if (keyFile != null) {
      all.add(keyFile);
    }
    for (String path : all) {
      if (!isLocal(new Path(path).getFileSystem(configuration))) {
        return new Storage(new SerializableConfiguration(configuration), keyFile);
      }
    }
    return new Storage(null, keyFile);
  }

  private static boolean isLocal(FileSystem fileSystem) {
    return fileSystem.getUri().getScheme().equals(LOCAL);
  }

  /** Returns whether all paths are of the machine's file system. */
  public boolean isLocal() {
    return hadoop == null;
  }

  /** Returns the path in the machine's file system of a path that may be a URI of it. */
  public static java.nio.file.Path localPath(String path) {
    return java.nio.file.Path.of(new Path(path).toUri().getPath());
  }

  /** Returns whether files are encrypted, whose lengths a listing does not tell. */
  public boolean isEncrypted() {
    return keyFile != null;
  }

  /**
   * Opens an existing directory.
   *
   * @throws java.nio.file.NoSuchFileException if it is missing; the message names it
   * @throws IllegalArgumentException if the file of keys is wrong; the message names its line
   */
  public Directory open(String path) throws IOException {
    Directory directory = openStored(path);
    KeyFile present = keys();
    return present == null ? directory : EncryptedDirectory.over(directory, present);
  }

  private synchronized @Nullable KeyFile keys() throws IOException {
    if (keys == null && keyFile != null) {
      keys = KeyFile.parse("option keyFile: " + keyFile, text(keyFile));
    }
    return keys;
  }

  /** Reads a file of text, which is not encrypted. */
  public String text(String path) throws IOException {
    Path file = new Path(path);
    Path parent = file.getParent();
    return TextFile.read(openStored(parent == null ? "." : parent.toString()), file.getName());
  }

  private Directory openStored(String path) throws IOException {
    if (hadoop != null) {
      Path directory = new Path(path);
      FileSystem fileSystem = directory.getFileSystem(hadoop.value());
      if (!isLocal(fileSystem)) {
        return new HadoopDirectory(fileSystem, directory);
      }
    }
    return NioDirectory.openExisting(localPath(path));
  }
}
