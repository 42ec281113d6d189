package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One folder of a disk: the only door through which the engine reaches files.
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
 *   <li>An interrupt of the calling thread, before a call or during it, is kept and ends none, here
 *       and of the files: it must not decide whether a change is durable. Only a file that is read
 *       while it loses its name may then fail to be read.
 * </ul>
 *
 * <p>Safe for all threads. Holds no resource that needs closing; files and locks opened through it
 * are closed by their opener.
 */
public interface Directory {

  /**
   * The full path, for messages and for the operator; does not have to exist in the default file
   * system.
   */
  String path();

  /** Names of the files in this directory, sorted; child directories are not among them. */
  List<String> files() throws IOException;

  /** Names of the child directories, sorted. */
  List<String> directories() throws IOException;

  /**
   * The child directory of that name, made if it is missing (durable after {@link #sync()} of this
   * one).
   */
  Directory directory(String name) throws IOException;

  /** Removes an empty child directory. */
  void deleteDirectory(String name) throws IOException;

  /** Whether a file of that name exists. */
  boolean exists(String name) throws IOException;

  /** Length in bytes of an existing file. */
  long length(String name) throws IOException;

  /**
   * When the content of an existing file last changed, in milliseconds since 1970. Renaming and
   * linking do not change it; how fine it is depends on the file system.
   */
  long lastModifiedMillis(String name) throws IOException;

  /**
   * What tells an existing file from others, by whatever names and paths they are reached: equal
   * for the same file, while it has a name, and for no other. Null where that is not known.
   */
  default @Nullable Object identity(String name) throws IOException {
    return null;
  }

  /**
   * Opens an existing file for the given purpose, which decides how its bytes are fetched. The
   * caller closes it.
   */
  ReadableFile open(String name, ReadIntent intent) throws IOException;

  /** Creates a new, empty file for the given purpose. The caller closes it. */
  WritableFile create(String name, WriteIntent intent) throws IOException;

  /** Opens an existing file to write behind its last byte. The caller closes it. */
  WritableFile append(String name) throws IOException;

  /**
   * Cuts an existing file to {@code length} bytes, which must not exceed its present length;
   * durable on return.
   */
  void truncate(String name, long length) throws IOException;

  /**
   * Gives a file another name in this directory, replacing an existing file of that name
   * atomically. If both names are already of one and the same file, nothing happens.
   */
  void rename(String from, String to) throws IOException;

  /**
   * Gives an existing file a second name in {@code target}, which must be of the same file system.
   */
  void link(String existing, Directory target, String name) throws IOException;

  /**
   * As {@link #link}, of a file of which nobody has promised that it was ever synced: its content
   * is durable on return. After a failure the second name may be there.
   */
  default void linkSynced(String existing, Directory target, String name) throws IOException {
    link(existing, target, name);
    try (WritableFile file = target.append(name)) {
      file.sync();
    }
  }

  /** Removes a name. Open readers of the file keep their bytes. */
  void delete(String name) throws IOException;

  /** Makes the names of this directory durable. */
  void sync() throws IOException;

  /**
   * Takes the exclusive lock of the named file, made if missing, against other processes and other
   * callers in this one. While it is held the file is not opened or locked otherwise: on some
   * systems closing any handle of a file releases the process's locks on it.
   *
   * <p>The holder may delete the file, as the last that it does before it releases the lock: nobody
   * is given the lock of a file that has lost its name.
   *
   * @return the lock, released by closing it
   * @throws LockedException if it is taken, naming the path
   * @throws IOException if it cannot be taken for another reason
   */
  Closeable lock(String name) throws IOException;

  /** Bytes that may still be written to the file system of this directory. */
  long usableSpace() throws IOException;

  /**
   * Goes down through directories below this one, and makes those that are missing. Each name is
   * durable before anything comes into the directory; also where the directory is there already, as
   * the process that made it may have died before it was durable.
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
