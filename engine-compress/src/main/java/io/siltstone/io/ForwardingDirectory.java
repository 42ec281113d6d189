package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A directory that forwards every call to another one: the base class of wrappers that throttle,
 * count or disturb some of the operations. Threads and errors are those of the other directory.
 *
 * <p>A wrapper that wraps files and has child directories overrides {@link #open}, {@link #create},
 * {@link #append} and {@link #directory}.
 */
public abstract class ForwardingDirectory implements Directory {
  private final Directory inner;

  /**
   * @param inner receives the calls
   */
  protected ForwardingDirectory(Directory inner) {
    this.inner = Objects.requireNonNull(inner, "inner");
  }

  @Override
  public String path() {
    return inner.path();
  }

  @Override
  public List<String> files() throws IOException {
    return inner.files();
  }

  @Override
  public List<String> directories() throws IOException {
    return inner.directories();
  }

  @Override
  public Directory directory(String name) throws IOException {
    return inner.directory(name);
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    inner.deleteDirectory(name);
  }

  @Override
  public boolean exists(String name) throws IOException {
    return inner.exists(name);
  }

  @Override
  public OptionalLong namesChangedMillis() throws IOException {
    return inner.namesChangedMillis();
  }

  @Override
  public long length(String name) throws IOException {
    return inner.length(name);
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return inner.lastModifiedMillis(name);
  }

  @Override
  public @Nullable Object identity(String name) throws IOException {
    return inner.identity(name);
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    return inner.open(name, intent);
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    return inner.create(name, intent);
  }

  @Override
  public WritableFile append(String name) throws IOException {
    return inner.append(name);
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    inner.truncate(name, length);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    inner.rename(from, to);
  }

  /** Links to the directory inside of the target if that is a wrapper, like this one. */
  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    inner.link(existing, target instanceof ForwardingDirectory other ? other.inner : target, name);
  }

  @Override
  public void delete(String name) throws IOException {
    inner.delete(name);
  }

  @Override
  public void sync() throws IOException {
    inner.sync();
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return inner.lock(name);
  }

  @Override
  public long usableSpace() throws IOException {
    return inner.usableSpace();
  }

  /** Returns the other directory as the directory inside wraps it. */
  @Override
  public Directory rewrap(Directory other) {
    return inner.rewrap(other);
  }

  /** Returns the {@link #path()}. */
  @Override
  public String toString() {
    return path();
  }
}
