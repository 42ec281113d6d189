package io.siltstone.io;

import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The registry of the file locks that this process holds.
 *
 * <p>The kernel counts POSIX locks by process: closing a second handle of a locked file, as a
 * refused second attempt would, releases the first one's lock. Therefore a second attempt must be
 * refused before it opens the file, even if another database makes it, or another copy of the
 * engine: an application server has one for each class loader. All copies share the system
 * properties, so each lock is a property named {@code io.siltstone.lock.} and the file's real path.
 * Its value describes the holder, because a holder may lose its own reference to the lock.
 */
final class HeldLocks {
  private static final String PREFIX = "io.siltstone.lock.";
  private static final String OWN_PACKAGES = "io.siltstone.";
  private static final int FRAMES = 8;

  private HeldLocks() {}

  /**
   * Registers a lock.
   *
   * @return null, or if it is held already, a text with the time, the thread and the place where it
   *     was taken
   */
  static @Nullable String add(String realPath) {
    Properties properties = System.getProperties();
    String key = PREFIX + realPath;
    // A refused attempt needs no stack trace.
    Object holder = properties.get(key);
    if (holder == null) {
      holder = properties.putIfAbsent(key, caller());
    }
    return holder == null ? null : holder.toString();
  }

  static void remove(String realPath) {
    System.getProperties().remove(PREFIX + realPath);
  }

  /**
   * Returns the caller as text, because properties are text, and because a reference would keep
   * classes from being unloaded.
   */
  private static String caller() {
    List<StackWalker.StackFrame> frames =
        StackWalker.getInstance()
            .walk(
                all ->
                    all.dropWhile(frame -> frame.getClassName().startsWith(OWN_PACKAGES))
                        .limit(FRAMES)
                        .toList());
    return "since "
        + Instant.now()
        + " by thread '"
        + Thread.currentThread().getName()
        + "'"
        + frames.stream().map(frame -> " at " + frame).collect(Collectors.joining());
  }
}
