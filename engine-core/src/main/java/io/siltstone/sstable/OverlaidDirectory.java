package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A directory in which some files seem to be replaced by others of it, or to be missing: an SSTable
 * can be opened with components that have temporary names. For reading; confined to one thread.
 */
final class OverlaidDirectory implements Directory {
  private final Directory files;
  private final Map<String, String> replaced = new HashMap<>();
  private final Set<String> hidden = new HashSet<>();

  OverlaidDirectory(Directory files) {
    this.files = files;
  }

  /** Has a name mean another file from now on. */
  void replace(String name, String by) {
    hidden.remove(name);
    replaced.put(name, by);
  }

  /** Has a file seem to be missing from now on. */
  void hide(String name) {
    replaced.remove(name);
    hidden.add(name);
  }

  private String file(String name) {
    return replaced.getOrDefault(name, name);
  }

  @Override
  public String path() {
    return files.path();
  }

  @Override
  public List<String> files() throws IOException {
    return files.files();
  }

  @Override
  public List<String> directories() throws IOException {
    return files.directories();
  }

  @Override
  public Directory directory(String name) throws IOException {
    return files.directory(name);
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    files.deleteDirectory(name);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return !hidden.contains(name) && files.exists(file(name));
  }

  @Override
  public long length(String name) throws IOException {
    return files.length(file(name));
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return files.lastModifiedMillis(file(name));
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return files.open(file(name), intent);
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    return files.create(name, intent);
  }

  @Override
  public WritableFile append(String name) throws IOException {
    return files.append(file(name));
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    files.truncate(file(name), length);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    files.link(existing, target, name);
  }

  @Override
  public void delete(String name) throws IOException {
    files.delete(name);
  }

  @Override
  public void sync() throws IOException {
    files.sync();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return files.lock(name);
  }

  @Override
  public long usableSpace() throws IOException {
    return files.usableSpace();
  }
}
