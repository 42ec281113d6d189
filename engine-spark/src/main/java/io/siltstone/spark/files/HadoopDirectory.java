package io.siltstone.spark.files;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A directory of one of Hadoop's file systems, such as HDFS or an object store, for reading only.
 * Safe for use by all threads.
 */
final class HadoopDirectory extends ReadOnlyDirectory {
  private final FileSystem fileSystem;
  private final Path directory;

  HadoopDirectory(FileSystem fileSystem, Path directory) {
    this.fileSystem = fileSystem;
    this.directory = directory;
  }

  @Override
  public String path() {
    return directory.toString();
  }

  @Override
  public List<String> files() throws IOException {
    return entries().stream().filter(entry -> !entry.isDirectory()).map(Entry::name).toList();
  }

  @Override
  public List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (FileStatus status : list()) {
      String name = status.getPath().getName();
      entries.add(
          status.isDirectory()
              ? new Entry(name, true, 0, 0)
              : new Entry(name, false, status.getLen(), status.getModificationTime()));
    }
    entries.sort(Comparator.comparing(Entry::name));
    return entries;
  }

  @Override
  public List<String> directories() throws IOException {
    return entries().stream().filter(Entry::isDirectory).map(Entry::name).toList();
  }

  @Override
  public Directory directory(String name) throws IOException {
    HadoopDirectory child =
        new HadoopDirectory(fileSystem, new Path(directory, Directory.requireFileName(name)));
    var unused = child.list();
    return child;
  }

  private FileStatus[] list() throws IOException {
    try {
      return fileSystem.listStatus(directory);
    } catch (FileNotFoundException e) {
      throw missing(path(), e);
    }
  }

  private static NoSuchFileException missing(String path, FileNotFoundException cause) {
    NoSuchFileException missing = new NoSuchFileException(path);
    missing.initCause(cause);
    return missing;
  }

  private Path resolve(String name) {
    return new Path(directory, Directory.requireFileName(name));
  }

  private FileStatus status(String name) throws IOException {
    Path file = resolve(name);
    try {
      return fileSystem.getFileStatus(file);
    } catch (FileNotFoundException e) {
      throw missing(file.toString(), e);
    }
  }

  @Override
  public boolean exists(String name) throws IOException {
    try {
      return status(name).isFile();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public long length(String name) throws IOException {
    return status(name).getLen();
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return status(name).getModificationTime();
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    FileStatus status = status(name);
    Path file = status.getPath();
    try {
      return new HadoopFile(fileSystem.open(file), resolve(name).toString(), status.getLen());
    } catch (FileNotFoundException e) {
      throw missing(file.toString(), e);
    }
  }
}
