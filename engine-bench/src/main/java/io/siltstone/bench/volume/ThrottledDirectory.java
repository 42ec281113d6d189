package io.siltstone.bench.volume;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A directory whose files and child directories are read through one {@link ReadGate}: every read
 * of the engine counts, also one that the page cache answers. All else is the directory's below.
 */
public final class ThrottledDirectory implements Directory {
  private final Directory directory;
  private final ReadGate gate;

  /** Over another, which stays as it is. */
  public ThrottledDirectory(Directory directory, ReadGate gate) {
    this.directory = directory;
    this.gate = gate;
  }

  @Override
  public String path() {
    return directory.path();
  }

  @Override
  public List<String> files() throws IOException {
    return directory.files();
  }

  @Override
  public List<String> directories() throws IOException {
    return directory.directories();
  }

  @Override
  public Directory directory(String name) throws IOException {
    return new ThrottledDirectory(directory.directory(name), gate);
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    directory.deleteDirectory(name);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return directory.exists(name);
  }

  @Override
  public long length(String name) throws IOException {
    return directory.length(name);
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return directory.lastModifiedMillis(name);
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return new ThrottledFile(directory.open(name, intent), gate);
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    return directory.create(name, intent);
  }

  @Override
  public WritableFile append(String name) throws IOException {
    return directory.append(name);
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    directory.truncate(name, length);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    directory.rename(from, to);
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    directory.link(
        existing, target instanceof ThrottledDirectory other ? other.directory : target, name);
  }

  @Override
  public void delete(String name) throws IOException {
    directory.delete(name);
  }

  @Override
  public void sync() throws IOException {
    directory.sync();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return directory.lock(name);
  }

  @Override
  public long usableSpace() throws IOException {
    return directory.usableSpace();
  }

  /** That of the directory below. */
  @Override
  public String toString() {
    return directory.toString();
  }
}
