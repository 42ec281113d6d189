package io.siltstone.files;

import io.siltstone.io.Directory;
import io.siltstone.io.LockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The exclusive lock of a file in a directory, and the proof that the name still stands for that
 * file. A lock belongs to a file, not to its name: if the file is removed, the lock is still held,
 * but another process that makes a file of that name gets the lock of that one.
 *
 * <p>Safe for all threads. The caller that takes it closes it.
 */
public final class LockFile implements WriteGuard, Closeable {
  private final Directory directory;
  private final String name;
  private final Closeable held;
  private final Object identity;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private LockFile(Directory directory, String name, Closeable held, Object identity) {
    this.directory = directory;
    this.name = name;
    this.held = held;
    this.identity = identity;
  }

  /**
   * Takes the lock of a file, which is made if it is missing.
   *
   * @throws LockedException if somebody else has it, here or in another process
   */
  public static LockFile take(Directory directory, String name) throws IOException {
    Closeable held = directory.lock(name);
    try {
      return new LockFile(directory, name, held, identity(directory, name));
    } catch (Throwable e) {
      try (held) {
        throw e;
      }
    }
  }

  /**
   * Returns the identity of the file, or the time of its creation where the file system has no
   * identity.
   */
  private static Object identity(Directory directory, String name) throws IOException {
    Object identity = directory.identity(name);
    return identity != null ? identity : directory.lastModifiedMillis(name);
  }

  @Override
  public void requireOwned() throws IOException {
    Object present;
    try {
      present = identity(directory, name);
    } catch (NoSuchFileException e) {
      throw new LockLostException(
          path() + " was removed while its lock was held; another process may be at work");
    }
    if (!present.equals(identity)) {
      throw new LockLostException(
          path() + " was replaced while its lock was held; another process may be at work");
    }
  }

  private String path() {
    return directory.path() + "/" + name;
  }

  /**
   * Deletes the file, if it is still the locked one, and releases the lock. A second call does
   * nothing.
   */
  public void closeAndDelete() throws IOException {
    if (isClosed.compareAndSet(false, true)) {
      // The lock is still held, so no other process can have locked a file of this name.
      try (held) {
        requireOwned();
        directory.delete(name);
      } catch (LockLostException e) {
        // Another process has created the file that has this name now.
      }
    }
  }

  /** Releases the lock; the file stays. A second call does nothing. */
  @Override
  public void close() throws IOException {
    if (isClosed.compareAndSet(false, true)) {
      held.close();
    }
  }
}
