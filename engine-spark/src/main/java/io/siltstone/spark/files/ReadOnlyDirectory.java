package io.siltstone.spark.files;

import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A directory that is only read: each change is refused by an exception that names the path. It has
 * no child directories unless a subclass shows them.
 */
abstract class ReadOnlyDirectory implements Directory {

  private UnsupportedOperationException refused(String what) {
    return new UnsupportedOperationException(path() + " is only read: " + what + " is refused");
  }

  /** Returns no directories: those beside a table's SSTables, as of snapshots, are not read. */
  @Override
  public List<String> directories() throws IOException {
    return List.of();
  }

  @Override
  public Directory directory(String name) throws IOException {
    throw new NoSuchFileException(path() + "/" + name);
  }

  @Override
  public void deleteDirectory(String name) {
    throw refused("the deletion of " + name);
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) {
    throw refused("the creation of " + name);
  }

  @Override
  public WritableFile append(String name) {
    throw refused("a write to " + name);
  }

  @Override
  public void truncate(String name, long length) {
    throw refused("the truncation of " + name);
  }

  @Override
  public void rename(String from, String to) {
    throw refused("the renaming of " + from);
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    throw refused("a link of " + existing);
  }

  @Override
  public void delete(String name) {
    throw refused("the deletion of " + name);
  }

  @Override
  public void sync() {
    throw refused("a sync");
  }

  @Override
  public Closeable lock(String name) {
    throw refused("the lock " + name);
  }

  @Override
  public long usableSpace() {
    return 0;
  }
}
