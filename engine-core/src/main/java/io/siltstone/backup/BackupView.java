package io.siltstone.backup;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One directory of the database in a backup, read in place: the names are those of the manifest,
 * the contents those of the directory of backups. Everything that would change something is an
 * {@link IOException}. Safe for use by all threads.
 */
public final class BackupView implements Directory {
  private final BackupStore store;
  private final long id;
  private final String path;
  private final SortedMap<String, BackupFile> files = new TreeMap<>();
  private final SortedMap<String, BackupView> children = new TreeMap<>();

  private BackupView(BackupStore store, long id, String path) {
    this.store = store;
    this.id = id;
    this.path = path;
  }

  /** Returns the root directory of the database in a backup. */
  public static Directory of(BackupStore store, Manifest manifest) {
    BackupView root =
        new BackupView(store, manifest.id(), store.path() + "/backups/" + manifest.id());
    for (BackupFile file : manifest.files()) {
      String[] names = file.path().split("/", -1);
      BackupView at = root;
      for (int i = 0; i < names.length - 1; i++) {
        at = at.child(names[i]);
      }
      at.files.put(names[names.length - 1], file);
    }
    return root;
  }

  private BackupView child(String name) {
    return children.computeIfAbsent(name, any -> new BackupView(store, id, path + "/" + name));
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public List<String> files() {
    return new ArrayList<>(files.keySet());
  }

  @Override
  public List<String> directories() {
    return new ArrayList<>(children.keySet());
  }

  @Override
  public Directory directory(String name) throws IOException {
    BackupView child = children.get(Directory.requireFileName(name));
    if (child == null) {
      throw missing(name);
    }
    return child;
  }

  @Override
  public boolean exists(String name) {
    return files.containsKey(Directory.requireFileName(name));
  }

  private NoSuchFileException missing(String name) {
    return new NoSuchFileException(path + "/" + name);
  }

  private BackupFile file(String name) throws NoSuchFileException {
    BackupFile file = files.get(Directory.requireFileName(name));
    if (file == null) {
      throw missing(name);
    }
    return file;
  }

  @Override
  public long length(String name) throws IOException {
    return file(name).length();
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return file(name).modifiedMillis();
  }

  /** Opens a file; a damaged length is reported with the path of the stored content. */
  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return store.open(id, file(name), intent);
  }

  private IOException readOnly() {
    return new IOException(path + " is in a backup, which is only read: restore it to change it");
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    throw readOnly();
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    throw readOnly();
  }

  @Override
  public WritableFile append(String name) throws IOException {
    throw readOnly();
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    throw readOnly();
  }

  @Override
  public void rename(String from, String to) throws IOException {
    throw readOnly();
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    throw readOnly();
  }

  @Override
  public void delete(String name) throws IOException {
    throw readOnly();
  }

  @Override
  public void sync() throws IOException {
    throw readOnly();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    throw readOnly();
  }

  /** Returns 0: nothing can be written. */
  @Override
  public long usableSpace() {
    return 0;
  }
}
