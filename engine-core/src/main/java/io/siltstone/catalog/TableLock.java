package io.siltstone.catalog;

import io.siltstone.files.LockFile;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;

/**
 * The lock of a table's directory that belongs to no database: its file {@code siltstone.lock},
 * which exists while a process changes the directory. A file that a killed process has left locks
 * nothing. Cassandra ignores it.
 *
 * <p>Safe for all threads; closed by the owner.
 */
public final class TableLock implements WriteGuard, Closeable {
  /** The name of the file. */
  public static final String FILE = "siltstone.lock";

  private final LockFile file;

  private TableLock(LockFile file) {
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @throws IOException if it is taken already, in this process or in another one
   */
  public static TableLock take(Directory table) throws IOException {
    try {
      return new TableLock(LockFile.take(table, FILE));
    } catch (AccessDeniedException e) {
      throw new IOException(
          table.path() + " cannot be locked, it must not be written to: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException(
          table.path() + " cannot be locked, so others may be at work there: " + e.getMessage(), e);
    }
  }

  @Override
  public void requireOwned() throws IOException {
    file.requireOwned();
  }

  /** Releases the lock, and removes its file. A second call does nothing. */
  @Override
  public void close() throws IOException {
    file.closeAndDelete();
  }
}
