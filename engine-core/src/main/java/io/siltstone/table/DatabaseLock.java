package io.siltstone.table;

import io.siltstone.files.LockFile;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other processes from writing a database, by the locks of two files: {@code lock} in its
 * directory, and {@code writer.lock} beside the tables. An operator who takes the first one for the
 * remains of a process and removes it does not let a second process in: the lock of the other file
 * is still held. A writer asks again and again whether both files are those that are locked.
 *
 * <p>Safe for all threads. The caller that takes it closes it.
 */
public final class DatabaseLock implements WriteGuard, Closeable {
  static final String FILE = "lock";
  static final String SECOND_FILE = "writer.lock";

  private final Directory root;
  private final LockFile first;
  private @Nullable LockFile second;

  private DatabaseLock(Directory root, LockFile first) {
    this.root = root;
    this.first = first;
  }

  /**
   * Takes the lock of the directory, of which it may not be known yet whether it is a database.
   *
   * @throws IOException if somebody else has it, here or in another process
   */
  public static DatabaseLock take(Directory root) throws IOException {
    return new DatabaseLock(root, take(root, root, FILE));
  }

  /**
   * Takes the lock beside the tables, too.
   *
   * @param data the directory of the tables
   * @throws IOException if somebody else has it, here or in another process
   */
  public void takeSecond(Directory data) throws IOException {
    second = take(root, data, SECOND_FILE);
  }

  private static LockFile take(Directory root, Directory directory, String name)
      throws IOException {
    try {
      return LockFile.take(directory, name);
    } catch (LockedException e) {
      throw new IOException(
          root.path() + " is open already, here or in another process: " + e.getMessage(), e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          root.path() + " cannot be locked for writing: no permission for " + e.getFile(), e);
    } catch (IOException e) {
      throw new IOException(root.path() + " cannot be locked for writing: " + e.getMessage(), e);
    }
  }

  @Override
  public void requireOwned() throws IOException {
    first.requireOwned();
    LockFile beside = second;
    if (beside != null) {
      beside.requireOwned();
    }
  }

  @Override
  public void close() throws IOException {
    try (first) {
      LockFile beside = second;
      if (beside != null) {
        beside.close();
      }
    }
  }
}
