package io.siltstone.table;

import io.siltstone.catalog.TableLock;
import io.siltstone.files.LockFile;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a database, which excludes other writing processes, held on two files: {@code lock}
 * in the database's directory, and {@code writer.lock} beside the tables. If an operator removes
 * the first one, believing it to be left by a dead process, a second process still finds the other
 * one locked. A writer checks again and again that both files are still those that it has locked.
 *
 * <p>Safe for all threads. Closed by the owner.
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
   * Takes the lock of a directory, which need not be a database yet.
   *
   * @throws IOException if it is taken already, in this process or in another one
   */
  public static DatabaseLock take(Directory root) throws IOException {
    return new DatabaseLock(root, take(root, root, FILE));
  }

  /**
   * Takes the second lock, beside the tables.
   *
   * @param data the directory of the tables
   * @throws IOException if it is taken already, in this process or in another one
   */
  public void takeSecond(Directory data) throws IOException {
    second = take(root, data, SECOND_FILE);
  }

  /** Locks the database to which a table's directory belongs, or otherwise the directory. */
  public static Closeable takeAround(Path path, Directory directory, PathFiles files)
      throws IOException {
    Optional<Directory> database = DatabaseOfTable.find(path, files);
    return database.isPresent() ? take(database.get()) : TableLock.take(directory);
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
