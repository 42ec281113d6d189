package io.siltstone.catalog;

import io.siltstone.files.LockFile;
import io.siltstone.files.WriteGuard;
import io.siltstone.io.Directory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;

/**
 * Keeps others from changing the directory of a table that is of no database: its file {@code
 * siltstone.lock}, which is there as long as somebody works in the directory, and is of no meaning
 * if a process that was killed has left it. Cassandra takes no notice of it.
 *
 * <p>Safe for all threads; closed by whoever took it.
 */
public final class TableLock implements WriteGuard, Closeable {
  private static final String FILE = "siltstone.lock";

  private final LockFile file;

  private TableLock(LockFile file) {
    this.file = file;
  }

  /**
   * Takes the lock.
   *
   * @throws IOException if somebody else has it, here or in another process
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

  /** Gives it back, and removes its file. A second call does nothing. */
  @Override
  public void close() throws IOException {
    file.closeAndDelete();
  }
}
