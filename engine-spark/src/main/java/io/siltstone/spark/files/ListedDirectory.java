package io.siltstone.spark.files;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A directory with the files of a listing, for reading only: what was added since is not there, and
 * files of several directories are together. So all tasks of a job see the same table, and nothing
 * is listed twice.
 *
 * <p>Open files have their own paths. What the engine says of a file that is not open names it by
 * {@link #path()} and its name here, which {@link #locate} translates. Safe for use by all threads.
 */
public final class ListedDirectory extends ReadOnlyDirectory {
  private final Storage storage;
  private final String path;
  private final TreeMap<String, ListedFile> files = new TreeMap<>();
  private final Map<String, Directory> opened = new HashMap<>();

  /**
   * @param path for messages
   * @param files with names that differ
   */
  public ListedDirectory(Storage storage, String path, List<ListedFile> files) {
    this.storage = storage;
    this.path = path;
    files.forEach(file -> this.files.put(file.name(), file));
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
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    files.forEach(
        (name, file) -> entries.add(new Entry(name, false, file.length(), file.modifiedMillis())));
    return entries;
  }

  @Override
  public boolean exists(String name) {
    return files.containsKey(Directory.requireFileName(name));
  }

  @Override
  public long length(String name) throws IOException {
    return file(name).length();
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return file(name).modifiedMillis();
  }

  private ListedFile file(String name) throws NoSuchFileException {
    ListedFile file = files.get(Directory.requireFileName(name));
    if (file == null) {
      throw new NoSuchFileException(path + "/" + name);
    }
    return file;
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    ListedFile file = file(name);
    return directory(file).open(file.realName(), intent);
  }

  /** Gives a file a second name where it lies, as an import does. */
  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    ListedFile file = file(existing);
    directory(file).link(file.realName(), target, name);
  }

  private synchronized Directory directory(ListedFile of) throws IOException {
    Directory directory = opened.get(of.directory());
    if (directory == null) {
      directory = storage.open(of.directory());
      opened.put(of.directory(), directory);
    }
    return directory;
  }

  /** Returns a message with the real paths of the SSTables that it names as they are named here. */
  public String locate(String message) {
    String located = message;
    for (ListedFile file : files.values()) {
      int end = file.name().lastIndexOf('-') + 1;
      int realEnd = file.realName().lastIndexOf('-') + 1;
      String here = path + "/" + file.name().substring(0, end);
      String there = file.directory() + "/" + file.realName().substring(0, realEnd);
      if (end > 0 && !here.equals(there)) {
        located = located.replace(here, there);
      }
    }
    return located;
  }
}
