package io.siltstone.jmx;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has failures reach clients without this library: JMX sends them as objects, and a class that the
 * client lacks hides what has failed.
 */
final class PlainFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PlainFailures.class);

  private PlainFailures() {}

  /** What a client has asked for. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /** As {@link Work}, without a result. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  /**
   * Does it.
   *
   * @throws IOException what it fails with, if that and all that it has with it are of the JDK;
   *     else one that says the same, and nothing else, and the log has the other
   */
  static <T> T of(Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (IOException | RuntimeException e) {
      if (isPlain(e, Collections.newSetFromMap(new IdentityHashMap<>()))) {
        throw e;
      }
      LOG.warn("what a client of JMX asked for has failed", e);
      throw new IOException(text(e));
    }
  }

  /** As the other. */
  static void of(Action action) throws IOException {
    Object unused =
        of(
            () -> {
              action.run();
              return true;
            });
  }

  private static boolean isPlain(@Nullable Throwable failure, Set<Throwable> seen) {
    if (failure == null || !seen.add(failure)) {
      return true;
    }
    boolean isPlain =
        failure.getClass().getName().startsWith("java.") && isPlain(failure.getCause(), seen);
    for (Throwable suppressed : failure.getSuppressed()) {
      isPlain &= isPlain(suppressed, seen);
    }
    return isPlain;
  }

  /** The messages of a failure and its causes, each once. */
  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable each = failure; each != null && seen.add(each); each = each.getCause()) {
      String message = message(each);
      if (text.indexOf(message) < 0) {
        text.append(text.isEmpty() ? "" : ": ").append(message);
      }
    }
    return text.toString();
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    // The messages of file systems may be a path alone.
    return message == null || failure instanceof FileSystemException ? failure.toString() : message;
  }
}
