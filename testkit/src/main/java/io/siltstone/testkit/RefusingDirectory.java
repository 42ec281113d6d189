package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A directory in which open files can neither be deleted nor renamed nor replaced, as in Windows
 * for mapped files and for files that were opened without the permission to delete them. A file is
 * open from the call that opens it until it is closed.
 *
 * <p>Safe for use by all threads, as far as the wrapped directory is.
 */
public final class RefusingDirectory extends InterceptedDirectory {
  private final State state;

  /** Wraps {@code inner}. */
  public RefusingDirectory(Directory inner) {
    this(inner, "", new State());
  }

  private RefusingDirectory(Directory inner, String relative, State state) {
    super(inner, relative);
    this.state = state;
  }

  /** The state shared by a directory and all directories below it. */
  private static final class State {
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final AtomicLong refused = new AtomicLong();

    void opened(String path) {
      open.merge(path, 1, Integer::sum);
    }

    void closed(String path) {
      open.computeIfPresent(path, (name, count) -> count == 1 ? null : count - 1);
    }

    void requireClosed(Operation operation, String path) throws IOException {
      if (open.containsKey(path)) {
        refused.incrementAndGet();
        throw new FileSystemException(
            path, null, "the file is open, which prevents " + operation + " it");
      }
    }
  }

  /** Returns how many calls were refused. */
  public long refused() {
    return state.refused.get();
  }

  @Override
  <T> T perform(Operation operation, String path, String other, Call<T> call) throws IOException {
    if (operation == Operation.DELETE
        || operation == Operation.RENAME
        || operation == Operation.TRUNCATE) {
      state.requireClosed(operation, path);
      state.requireClosed(operation, other);
    }
    return call.run();
  }

  @Override
  Directory wrapChild(Directory child, String path) {
    return new RefusingDirectory(child, path, state);
  }

  @Override
  ReadableFile wrapReader(ReadableFile file, String path) {
    state.opened(path);
    return new ForwardingReadableFile(file) {
      private final AtomicBoolean isClosed = new AtomicBoolean();

      @Override
      public void close() throws IOException {
        super.close();
        if (!isClosed.getAndSet(true)) {
          state.closed(path);
        }
      }
    };
  }

  @Override
  WritableFile wrapWriter(WritableFile file, String path) {
    state.opened(path);
    return new ForwardingWritableFile(file) {
      private final AtomicBoolean isClosed = new AtomicBoolean();

      @Override
      public void close() throws IOException {
        super.close();
        if (!isClosed.getAndSet(true)) {
          state.closed(path);
        }
      }
    };
  }
}
