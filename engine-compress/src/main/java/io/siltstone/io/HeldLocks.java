package io.siltstone.io;

import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file locks that this process holds.
 *
 * <p>The kernel counts POSIX locks by process: closing a second handle of a locked file, as a
 * refused second attempt would, releases the first one's lock. So a second attempt must be refused
 * before it opens the file, whichever database makes it, and whichever copy of the engine: an
 * application server has one for each class loader. What all of them share is the properties of the
 * system; a lock is one of those, {@code io.siltstone.lock.} and the file's real path. Its value
 * says who took it: it may be forgotten, and then nobody else can tell.
 */
final class HeldLocks {
  private static final String PREFIX = "io.siltstone.lock.";
  private static final String OWN_PACKAGES = "io.siltstone.";
  private static final int FRAMES = 8;

  private HeldLocks() {}

  /**
   * Notes a lock.
   *
   * @return null, or if it is held already, since when, by which thread and where it was asked for
   */
  static @Nullable String add(String realPath) {
    Properties properties = System.getProperties();
    String key = PREFIX + realPath;
    // An attempt that is refused needs no stack.
    Object holder = properties.get(key);
    if (holder == null) {
      holder = properties.putIfAbsent(key, caller());
    }
    return holder == null ? null : holder.toString();
  }

  static void remove(String realPath) {
    System.getProperties().remove(PREFIX + realPath);
  }

  /** As text, as properties must be; and so that no class is kept from being unloaded. */
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
