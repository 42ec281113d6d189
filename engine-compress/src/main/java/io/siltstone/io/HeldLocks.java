package io.siltstone.io;

/**
 * The file locks that this process holds.
 *
 * <p>The kernel counts POSIX locks by process: closing a second handle of a locked file, as a
 * refused second attempt would, releases the first one's lock. So a second attempt must be refused
 * before it opens the file, whichever database makes it, and whichever copy of the engine: an
 * application server has one for each class loader. What all of them share is the properties of the
 * system; a lock is one of those, {@code io.siltstone.lock.} and the file's real path.
 */
final class HeldLocks {
  private static final String PREFIX = "io.siltstone.lock.";

  private HeldLocks() {}

  /** Notes a lock. False if it is held already. */
  static boolean add(String realPath) {
    return System.getProperties().putIfAbsent(PREFIX + realPath, "held") == null;
  }

  static void remove(String realPath) {
    System.getProperties().remove(PREFIX + realPath);
  }
}
