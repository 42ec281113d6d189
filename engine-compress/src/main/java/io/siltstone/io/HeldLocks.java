package io.siltstone.io;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file locks that this process holds.
 *
 * <p>The kernel counts POSIX locks by process: closing a second handle of a locked file, as a
 * refused second attempt would, releases the first one's lock. So a second attempt must be refused
 * before it opens the file, whichever database makes it. That is why this, alone in the engine, is
 * state of the process.
 */
final class HeldLocks {
  // Real paths of the locked files.
  private static final Set<String> HELD = ConcurrentHashMap.newKeySet();

  private HeldLocks() {}

  /** Notes a lock. False if it is held already. */
  static boolean add(String realPath) {
    return HELD.add(realPath);
  }

  static void remove(String realPath) {
    HELD.remove(realPath);
  }
}
