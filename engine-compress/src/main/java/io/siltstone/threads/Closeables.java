package io.siltstone.threads;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Resources that are closed together: in the opposite order in which they were opened, all of them,
 * even if closing some fails. The first failure is thrown, and has the others suppressed. The
 * static methods do the same for resources that are held elsewhere.
 *
 * <p>Confined to one thread at a time. A resource that is added after {@link #close} is closed by
 * the next call of it.
 */
public final class Closeables implements Closeable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Creates an empty collection. */
  public Closeables() {}

  /** Adds a resource, which is closed before all that were added earlier. */
  public <T extends AutoCloseable> T add(T closeable) {
    opened.push(closeable);
    return closeable;
  }

  /** Adds a resource as if it had been added first: it is closed after all others. */
  public void addFirst(AutoCloseable closeable) {
    opened.addLast(closeable);
  }

  /** Closes all resources, and throws the first failure. */
  @Override
  public void close() throws IOException {
    Throwable failure = null;
    while (!opened.isEmpty()) {
      failure = close(opened.pop(), failure);
    }
    Failures.rethrow(failure);
  }

  /** Closes all resources because of a failure, to which failures of closing are added. */
  public void closeAfter(Throwable failure) {
    closeAfter(this, failure);
  }

  /** Closes a resource because of a failure, to which a failure of closing is added. */
  public static void closeAfter(AutoCloseable opened, Throwable failure) {
    var unused = close(opened, failure);
  }

  /** Closes resources because of a failure, to which failures of closing are added. */
  public static void closeAllAfter(Iterable<? extends AutoCloseable> opened, Throwable failure) {
    for (AutoCloseable closeable : opened) {
      closeAfter(closeable, failure);
    }
  }

  /** Closes all resources in their order, and throws the first failure. */
  public static void closeAll(Iterable<? extends AutoCloseable> opened) throws IOException {
    Throwable failure = null;
    for (AutoCloseable closeable : opened) {
      failure = close(closeable, failure);
    }
    Failures.rethrow(failure);
  }

  /**
   * Closes a resource after those before it.
   *
   * @param failure of the resources before, or null
   * @return the given failure, or else that of this resource; null if none failed
   */
  public static @Nullable Throwable close(AutoCloseable opened, @Nullable Throwable failure) {
    try {
      opened.close();
      return failure;
    } catch (Exception | Error e) {
      return Failures.first(failure, e);
    }
  }
}
