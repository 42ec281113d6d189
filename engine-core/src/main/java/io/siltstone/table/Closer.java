package io.siltstone.table;

import io.siltstone.threads.Failures;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what was opened, the last first, whatever fails. Confined to one thread at a time; what is
 * added after it was closed is closed by the next {@link #close}.
 */
public final class Closer implements Closeable {
  private final Deque<Closeable> opened = new ArrayDeque<>();

  /** Nothing yet. */
  public Closer() {}

  /** Adds what is to be closed before all that was added before. */
  public <T extends Closeable> T add(T closeable) {
    opened.push(closeable);
    return closeable;
  }

  /** Adds what is to be closed behind all else. */
  public void addFirst(Closeable closeable) {
    opened.addLast(closeable);
  }

  /** Closes all; throws the first failure, which has the others suppressed. */
  @Override
  public void close() throws IOException {
    Throwable failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (IOException | RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else if (failure != e) {
          failure.addSuppressed(e);
        }
      }
    }
    Failures.rethrow(failure);
  }

  /** Closes all after a failure, which gets those of closing suppressed. */
  public void closeAfter(Throwable failure) {
    closeAfter(this, failure);
  }

  /** Closes something after a failure, which gets that of closing suppressed. */
  public static void closeAfter(Closeable opened, Throwable failure) {
    try {
      opened.close();
    } catch (IOException | RuntimeException | Error e) {
      // When the heap is full, the virtual machine throws the same object again.
      if (e != failure) {
        failure.addSuppressed(e);
      }
    }
  }
}
