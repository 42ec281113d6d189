package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exclusive lock of a file, against other processes and against others of this process. The
 * holder may delete the file while it holds the lock.
 */
final class ExclusiveLock {
  private static final Logger LOG = LoggerFactory.getLogger(ExclusiveLock.class);

  // The maximum number of attempts to lock a file that its holder deletes at the same time.
  private static final int ATTEMPTS = 10;

  private ExclusiveLock() {}

  /**
   * Takes the lock of a file, which is created if it is missing.
   *
   * @param key names the file within this process, whatever links lead to it
   * @return releases the lock when it is closed, by the caller
   * @throws LockedException if another process, or this one, holds the lock
   */
  static Closeable take(Path file, String key) throws IOException {
    String holder = HeldLocks.add(key);
    if (holder != null) {
      throw new LockedException(file + " is locked by this process, " + holder);
    }
    try {
      FileChannel channel = openLocked(file);
      AtomicBoolean held = new AtomicBoolean(true);
      return () -> {
        if (held.getAndSet(false)) {
          try {
            channel.close();
          } finally {
            HeldLocks.remove(key);
          }
        }
      };
    } catch (Throwable e) {
      HeldLocks.remove(key);
      throw e;
    }
  }

  private static FileChannel openLocked(Path file) throws IOException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        return openLockedOnce(file);
      } catch (NoSuchFileException e) {
        // The holder has deleted the file and released the lock, so it is free.
        LOG.debug("{} was removed while it was locked", file, e);
      }
    }
    return openLockedOnce(file);
  }

  private static FileChannel openLockedOnce(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // The file of another owner, who may hold the lock or not.
    }
    Object before = identity(file);
    FileChannel channel = tryLock(file);
    try {
      // The locked file may have lost its name since it was opened; other processes then lock
      // another file.
      if (!Objects.equals(before, identity(file))) {
        throw new NoSuchFileException(file.toString());
      }
      return channel;
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Returns an identity that stays the same as long as the name refers to the same file; null if
   * the file system has none.
   */
  static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static FileChannel tryLock(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(file, channel);
      if (lock == null) {
        throw new LockedException(file + " is locked by another process");
      }
      return channel;
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw (IOException) new LockedException(file + " is locked by this process").initCause(e);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  private static @Nullable FileLock tryLock(Path file, FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(file + " cannot be locked: " + e.getMessage(), e);
    }
  }
}
