package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A directory of a {@link SimulatedDisk}. The lock of its file system guards its state. */
final class SimulatedDirectory implements Directory {
  private final SimulatedFileSystem disk;
  private final String path;
  private final TreeMap<String, Object> names = new TreeMap<>();
  private final TreeMap<String, Object> durable = new TreeMap<>();
  private final Set<String> locked = new HashSet<>();

  SimulatedDirectory(SimulatedFileSystem disk, String path) {
    this.disk = disk;
    this.path = path;
  }

  /** Returns the present content by name: files and directories. */
  Map<String, Object> names() {
    return names;
  }

  /** Returns the content that survives a power loss. */
  Map<String, Object> durable() {
    return durable;
  }

  private String pathOf(String name) {
    return path + "/" + Directory.requireFileName(name);
  }

  private SimulatedFile existing(String name) throws NoSuchFileException {
    if (names.get(Directory.requireFileName(name)) instanceof SimulatedFile file) {
      return file;
    }
    throw new NoSuchFileException(pathOf(name));
  }

  private void requireFree(String name) throws FileAlreadyExistsException {
    if (names.containsKey(Directory.requireFileName(name))) {
      throw new FileAlreadyExistsException(pathOf(name));
    }
  }

  @Override
  public String path() {
    return path;
  }

  private List<String> names(Class<?> kind) throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return names.entrySet().stream()
          .filter(entry -> kind.isInstance(entry.getValue()))
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  @Override
  public List<String> files() throws IOException {
    return names(SimulatedFile.class);
  }

  @Override
  public List<String> directories() throws IOException {
    return names(SimulatedDirectory.class);
  }

  @Override
  public Directory directory(String name) throws IOException {
    String childPath = pathOf(name);
    synchronized (disk.lock) {
      disk.requirePower();
      if (names.get(name) instanceof SimulatedDirectory child) {
        return child;
      }
      disk.begin(Operation.MAKE_DIRECTORY, childPath);
      requireFree(name);
      SimulatedDirectory child = new SimulatedDirectory(disk, childPath);
      disk.change(this, name, child, false);
      return child;
    }
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    String childPath = pathOf(name);
    synchronized (disk.lock) {
      disk.begin(Operation.DELETE_DIRECTORY, childPath);
      if (!(names.get(name) instanceof SimulatedDirectory child)) {
        throw new NoSuchFileException(childPath);
      }
      if (!child.names.isEmpty()) {
        throw new DirectoryNotEmptyException(childPath);
      }
      disk.change(this, name, null, false);
    }
  }

  @Override
  public boolean exists(String name) throws IOException {
    Directory.requireFileName(name);
    synchronized (disk.lock) {
      disk.requirePower();
      return names.get(name) instanceof SimulatedFile;
    }
  }

  @Override
  public long length(String name) throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return existing(name).length();
    }
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return existing(name).modifiedMillis();
    }
  }

  @Override
  public Object identity(String name) throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return existing(name);
    }
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return new SimulatedReader(disk, pathOf(name), existing(name));
    }
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    String filePath = pathOf(name);
    synchronized (disk.lock) {
      disk.begin(Operation.CREATE, filePath);
      requireFree(name);
      SimulatedFile file = new SimulatedFile(disk.clockMillis());
      disk.change(this, name, file, false);
      return new SimulatedWriter(disk, filePath, file);
    }
  }

  @Override
  public WritableFile append(String name) throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return new SimulatedWriter(disk, pathOf(name), existing(name));
    }
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    synchronized (disk.lock) {
      disk.begin(Operation.TRUNCATE, pathOf(name));
      SimulatedFile file = existing(name);
      if (length < 0 || length > file.length()) {
        throw new IllegalArgumentException(
            pathOf(name) + " has " + file.length() + " bytes, cannot be cut to " + length);
      }
      file.truncate((int) length, disk.clockMillis());
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    String fromPath = pathOf(from);
    String toPath = pathOf(to);
    synchronized (disk.lock) {
      disk.begin(Operation.RENAME, fromPath + " to " + toPath);
      SimulatedFile file = existing(from);
      if (names.get(to) == file) {
        return;
      }
      if (names.get(to) instanceof SimulatedDirectory) {
        throw new FileAlreadyExistsException(toPath);
      }
      disk.change(this, to, file, false);
      disk.change(this, from, null, true);
    }
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    if (!(SimulatedDisk.unwrap(target) instanceof SimulatedDirectory other) || other.disk != disk) {
      throw new IllegalArgumentException(
          target.path() + " is not of the same file system as " + path);
    }
    synchronized (disk.lock) {
      disk.begin(Operation.LINK, pathOf(existing) + " to " + other.pathOf(name));
      SimulatedFile file = existing(existing);
      other.requireFree(name);
      disk.change(other, name, file, false);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    String filePath = pathOf(name);
    synchronized (disk.lock) {
      disk.begin(Operation.DELETE, filePath);
      existing(name);
      disk.change(this, name, null, false);
    }
  }

  @Override
  public void sync() throws IOException {
    synchronized (disk.lock) {
      disk.begin(Operation.SYNC_DIRECTORY, path);
      disk.makeDurable(this);
    }
  }

  @Override
  public Closeable lock(String name) throws IOException {
    String filePath = pathOf(name);
    synchronized (disk.lock) {
      disk.requirePower();
      if (locked.contains(name)) {
        throw new LockedException(filePath + " is locked by this process");
      }
      if (!names.containsKey(name)) {
        disk.begin(Operation.CREATE, filePath);
        disk.change(this, name, new SimulatedFile(disk.clockMillis()), false);
      }
      existing(name);
      locked.add(name);
      return new Lock(name);
    }
  }

  @Override
  public long usableSpace() throws IOException {
    synchronized (disk.lock) {
      disk.requirePower();
      return 1L << 40;
    }
  }

  @Override
  public String toString() {
    return path;
  }

  private final class Lock implements Closeable {
    private final String name;
    private boolean released;

    Lock(String name) {
      this.name = name;
    }

    @Override
    public void close() {
      synchronized (disk.lock) {
        if (!released) {
          released = true;
          locked.remove(name);
        }
      }
    }
  }
}
