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
 * Converts failures into exceptions that clients without this library can deserialize. JMX
 * serializes exceptions, and if the client lacks their class it does not see what has failed.
 */
final class SerializableFailures {
  private static final Logger LOG = LoggerFactory.getLogger(SerializableFailures.class);

  private SerializableFailures() {}

  /** An operation requested by a client. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /** An operation without a result. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  /**
   * Runs an operation.
   *
   * @throws IOException the operation's own if it and all its causes have classes of the JDK; else
   *     one with the same text, and the original is logged
   */
  static <T> T of(Work<T> work) throws IOException {
    try {
      return work.run();
    } catch (IOException | RuntimeException e) {
      if (isPlain(e, Collections.newSetFromMap(new IdentityHashMap<>()))) {
        throw e;
      }
      LOG.warn("an operation requested through JMX has failed", e);
      throw new IOException(text(e));
    }
  }

  /** Runs an operation without a result. */
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

  /** Returns the messages of a failure and its causes, each once. */
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
    // The message of a file system exception may be only a path.
    return message == null || failure instanceof FileSystemException ? failure.toString() : message;
  }
}
