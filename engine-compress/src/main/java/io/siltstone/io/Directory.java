package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One directory of a disk: the only interface through which the engine accesses files.
 *
 * <p>Contract, for every implementation:
 *
 * <ul>
 *   <li>Names are single path elements: not empty, no separator, not {@code .} or {@code ..};
 *       anything else is an {@link IllegalArgumentException} naming it.
 *   <li>Files are written once, from front to back, by {@link #create} (the name must be free) or
 *       continued by {@link #append}. There is no overwriting in place.
 *   <li>Written bytes are durable after {@link WritableFile#sync()}; names (created, renamed,
 *       linked, deleted) are durable after {@link #sync()} of their directory. Without a sync a
 *       power loss may keep all, some or none of it, in any order.
 *   <li>{@link #rename} is atomic: at any moment, also after a power loss, the target name is
 *       absent, the old file or the new file, and never a mixture.
 *   <li>A missing name is a {@link java.nio.file.NoSuchFileException}, an existing one where a free
 *       one is needed a {@link java.nio.file.FileAlreadyExistsException}; every exception names the
 *       full path.
 *   <li>An interrupt of the calling thread, before or during a call, is kept and does not end the
 *       call, neither of a directory nor of its files: it must not decide whether a change is
 *       durable. Only a file that is deleted while it is read may then fail to be read.
 * </ul>
 *
 * <p>Safe for use by all threads. A directory needs no closing; the caller that opens files and
 * locks closes them.
 */
public interface Directory {

  /** Returns the full path, for messages. It need not exist in the default file system. */
  String path();

  /** Returns the names of the files in this directory, sorted, without child directories. */
  List<String> files() throws IOException;

  /** Returns the names of the child directories, sorted. */
  List<String> directories() throws IOException;

  /**
   * A file or child directory, as a listing shows it.
   *
   * @param name in its directory
   * @param isDirectory whether it is a child directory
   * @param length of the file in bytes as it is stored, which for an encrypted file is more than
   *     {@link #length}; 0 for a directory
   * @param lastModifiedMillis of the file, as {@link #lastModifiedMillis}; 0 for a directory
   */
  record Entry(String name, boolean isDirectory, long length, long lastModifiedMillis) {}

  /**
   * Returns when a file or child directory was last added, renamed or removed, in milliseconds
   * since 1970; empty if that is not known, as by default. What is written to a file that stays
   * does not change it.
   */
  default OptionalLong namesChangedMillis() throws IOException {
    return OptionalLong.empty();
  }

  /**
   * Returns the files and child directories with their lengths and times, sorted by name. Costs
   * less than asking for each. What is deleted meanwhile is left out.
   */
  default List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (String name : files()) {
      try {
        entries.add(new Entry(name, false, length(name), lastModifiedMillis(name)));
      } catch (NoSuchFileException e) {
        // It was deleted meanwhile.
      }
    }
    directories().forEach(name -> entries.add(new Entry(name, true, 0, 0)));
    entries.sort(Comparator.comparing(Entry::name));
    return entries;
  }

  /**
   * Returns a child directory, which is created if it is missing (durable after {@link #sync()} of
   * this one).
   */
  Directory directory(String name) throws IOException;

  /**
   * Returns a child directory, which is not created: one that another process has deleted meanwhile
   * must not come back by being read.
   *
   * @throws NoSuchFileException if it does not exist
   */
  default Directory existingDirectory(String name) throws IOException {
    if (!directories().contains(name)) {
      throw new NoSuchFileException(path() + "/" + name);
    }
    return directory(name);
  }

  /** Removes an empty child directory. */
  void deleteDirectory(String name) throws IOException;

  /** Returns whether a file of that name exists. */
  boolean exists(String name) throws IOException;

  /** Returns the length of an existing file in bytes. */
  long length(String name) throws IOException;

  /**
   * Returns when the content of an existing file last changed, in milliseconds since 1970. Renaming
   * and linking do not change it; its resolution depends on the file system.
   */
  long lastModifiedMillis(String name) throws IOException;

  /**
   * Returns an object that identifies an existing file, by whatever names and paths it is reached:
   * equal for the same file as long as it has a name, and unequal for all others. Null if the file
   * system has no such identity.
   */
  default @Nullable Object identity(String name) throws IOException {
    return null;
  }

  /**
   * Opens an existing file for the given purpose, which decides how its bytes are read. The caller
   * closes it.
   */
  ReadableFile open(String name, ReadIntent intent) throws IOException;

  /** Creates a new, empty file for the given purpose. The caller closes it. */
  WritableFile create(String name, WriteIntent intent) throws IOException;

  /** Opens an existing file to write after its last byte. The caller closes it. */
  WritableFile append(String name) throws IOException;

  /**
   * Truncates an existing file to {@code length} bytes, which must not exceed its current length;
   * durable on return.
   */
  void truncate(String name, long length) throws IOException;

  /**
   * Renames a file in this directory, replacing an existing file of the new name atomically. If
   * both names already belong to the same file, nothing happens.
   */
  void rename(String from, String to) throws IOException;

  /**
   * Gives an existing file a second name in {@code target}, which must be on the same file system.
   */
  void link(String existing, Directory target, String name) throws IOException;

  /**
   * Links a file as {@link #link} does, and makes its content durable, as the file may never have
   * been synced. After a failure the second name may exist.
   */
  default void linkSynced(String existing, Directory target, String name) throws IOException {
    link(existing, target, name);
    try (WritableFile file = target.append(name)) {
      file.sync();
    }
  }

  /** Removes a name. Open readers of the file can still read it. */
  void delete(String name) throws IOException;

  /** Makes the names of this directory durable. */
  void sync() throws IOException;

  /**
   * Takes the exclusive lock of the named file, which is created if missing, against other
   * processes and other callers in this process. While the lock is held, the file must not be
   * opened or locked otherwise: on some systems, closing any handle of a file releases the
   * process's locks on it.
   *
   * <p>The holder may delete the file as its last step before it releases the lock: a lock is never
   * granted for a file that has lost its name.
   *
   * @return the lock, which is released by closing it
   * @throws LockedException if another holder has it; the message names the path
   * @throws IOException if it cannot be taken for another reason
   */
  Closeable lock(String name) throws IOException;

  /** Returns the free bytes of the file system of this directory. */
  long usableSpace() throws IOException;

  /**
   * Opens nested directories below this one, and creates those that are missing. Each name is
   * durable before the next directory is created in it. Directories that exist are synced too,
   * because the process that created them may have died before they were durable.
   *
   * @param names the outermost first
   * @return the innermost directory
   */
  default Directory makeDirectories(List<String> names) throws IOException {
    Directory above = this;
    for (String name : names) {
      Directory below = above.directory(name);
      above.sync();
      above = below;
    }
    return above;
  }

  /**
   * Returns another directory, wrapped as this one is, so that what is written there is stored in
   * the same way: encrypted with the same keys if this one encrypts. The other directory itself if
   * this one changes nothing of what is stored.
   */
  default Directory rewrap(Directory other) {
    return other;
  }

  /**
   * Checks that a name is one path element, as the names that directories take must be.
   *
   * @return the name
   * @throws IllegalArgumentException naming it, if it is not
   */
  static String requireFileName(String name) {
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('/') >= 0
        || name.indexOf('\\') >= 0
        || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("'" + name + "' is not a single file name");
    }
    return name;
  }
}
