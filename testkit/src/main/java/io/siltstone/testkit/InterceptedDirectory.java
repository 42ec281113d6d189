package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Base of directories that wrap another: a subclass has one method to observe or disturb every
 * operation, and one each to wrap what is opened. Paths passed to a subclass are relative to the
 * directory that was wrapped first, which itself has the empty path.
 */
abstract class InterceptedDirectory implements Directory {
  private final Directory inner;
  private final String relative;

  InterceptedDirectory(Directory inner, String relative) {
    this.inner = inner;
    this.relative = relative;
  }

  /** An operation of the inner directory. */
  interface Call<T> {
    T run() throws IOException;
  }

  /**
   * Runs an operation on a path.
   *
   * @param other the second path of a rename or link, else the same as {@code path}
   */
  abstract <T> T perform(Operation operation, String path, String other, Call<T> call)
      throws IOException;

  abstract Directory wrapChild(Directory child, String path);

  abstract ReadableFile wrapReader(ReadableFile file, String path);

  abstract WritableFile wrapWriter(WritableFile file, String path);

  Closeable wrapLock(Closeable lock, String path) {
    return lock;
  }

  private <T> T perform(Operation operation, String path, Call<T> call) throws IOException {
    return perform(operation, path, path, call);
  }

  private void run(Operation operation, String path, String other, Action action)
      throws IOException {
    perform(
        operation,
        path,
        other,
        () -> {
          action.run();
          return Boolean.TRUE;
        });
  }

  private interface Action {
    void run() throws IOException;
  }

  private String pathOf(String name) {
    return relative.isEmpty() ? name : relative + "/" + name;
  }

  @Override
  public final String path() {
    return inner.path();
  }

  @Override
  public final List<String> files() throws IOException {
    return perform(Operation.LIST, relative, inner::files);
  }

  @Override
  public final List<String> directories() throws IOException {
    return perform(Operation.LIST, relative, inner::directories);
  }

  @Override
  public final Directory directory(String name) throws IOException {
    String path = pathOf(name);
    return wrapChild(perform(Operation.MAKE_DIRECTORY, path, () -> inner.directory(name)), path);
  }

  @Override
  public final Directory existingDirectory(String name) throws IOException {
    String path = pathOf(name);
    return wrapChild(perform(Operation.LOOK_UP, path, () -> inner.existingDirectory(name)), path);
  }

  @Override
  public final void deleteDirectory(String name) throws IOException {
    String path = pathOf(name);
    run(Operation.DELETE_DIRECTORY, path, path, () -> inner.deleteDirectory(name));
  }

  @Override
  public final boolean exists(String name) throws IOException {
    return perform(Operation.LOOK_UP, pathOf(name), () -> inner.exists(name));
  }

  @Override
  public final long length(String name) throws IOException {
    return perform(Operation.LOOK_UP, pathOf(name), () -> inner.length(name));
  }

  @Override
  public final long lastModifiedMillis(String name) throws IOException {
    return perform(Operation.LOOK_UP, pathOf(name), () -> inner.lastModifiedMillis(name));
  }

  @Override
  public final OptionalLong namesChangedMillis() throws IOException {
    return perform(Operation.LOOK_UP, relative, inner::namesChangedMillis);
  }

  @Override
  public final @Nullable Object identity(String name) throws IOException {
    return perform(Operation.LOOK_UP, pathOf(name), () -> Optional.ofNullable(inner.identity(name)))
        .orElse(null);
  }

  @Override
  public final ReadableFile open(String name, ReadIntent intent) throws IOException {
    String path = pathOf(name);
    return wrapReader(perform(Operation.OPEN, path, () -> inner.open(name, intent)), path);
  }

  @Override
  public final WritableFile create(String name, WriteIntent intent) throws IOException {
    String path = pathOf(name);
    return wrapWriter(perform(Operation.CREATE, path, () -> inner.create(name, intent)), path);
  }

  @Override
  public final WritableFile append(String name) throws IOException {
    String path = pathOf(name);
    return wrapWriter(perform(Operation.APPEND, path, () -> inner.append(name)), path);
  }

  @Override
  public final void truncate(String name, long length) throws IOException {
    String path = pathOf(name);
    run(Operation.TRUNCATE, path, path, () -> inner.truncate(name, length));
  }

  @Override
  public final void rename(String from, String to) throws IOException {
    run(Operation.RENAME, pathOf(from), pathOf(to), () -> inner.rename(from, to));
  }

  @Override
  public final void link(String existing, Directory target, String name) throws IOException {
    String other =
        target instanceof InterceptedDirectory wrapped ? wrapped.pathOf(name) : pathOf(name);
    run(
        Operation.LINK,
        pathOf(existing),
        other,
        () ->
            inner.link(
                existing,
                target instanceof InterceptedDirectory wrapped ? wrapped.inner : target,
                name));
  }

  @Override
  public final void delete(String name) throws IOException {
    String path = pathOf(name);
    run(Operation.DELETE, path, path, () -> inner.delete(name));
  }

  @Override
  public final void sync() throws IOException {
    run(Operation.SYNC_DIRECTORY, relative, relative, inner::sync);
  }

  @Override
  public final Closeable lock(String name) throws IOException {
    String path = pathOf(name);
    return wrapLock(perform(Operation.LOCK, path, () -> inner.lock(name)), path);
  }

  @Override
  public long usableSpace() throws IOException {
    return inner.usableSpace();
  }

  @Override
  public final String toString() {
    return path();
  }
}
