package io.siltstone.spark.files;

import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Opens directories by their paths, on the driver and on executors: those of the machine's file
 * system directly, others through Hadoop's {@code FileSystem}. Immutable, safe for use by all
 * threads.
 */
public final class Storage implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String LOCAL = "file";

  // Null if all paths are of the machine's file system: the configuration is large.
  private final @Nullable SerializableConfiguration hadoop;

  private Storage(@Nullable SerializableConfiguration hadoop) {
    this.hadoop = hadoop;
  }

  /**
   * Returns the storage of some paths.
   *
   * @param configuration that of the session, which knows the file systems
   * @throws IOException if the file system of a path is not known
   */
  public static Storage of(Configuration configuration, List<String> paths) throws IOException {
    for (String path : paths) {
      if (!isLocal(new Path(path).getFileSystem(configuration))) {
        return new Storage(new SerializableConfiguration(configuration));
      }
    }
    return new Storage(null);
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

  /**
   * Opens an existing directory.
   *
   * @throws java.nio.file.NoSuchFileException if it is missing; the message names it
   */
  public Directory open(String path) throws IOException {
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
