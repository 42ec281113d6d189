package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ForwardingWritableFile;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;

/** A directory that registers its open files and locks. */
final class WatchedDirectory extends InterceptedDirectory {
  private final OpenResources open;

  WatchedDirectory(Directory inner, OpenResources open) {
    this(inner, "", open);
  }

  private WatchedDirectory(Directory inner, String relative, OpenResources open) {
    super(inner, relative);
    this.open = open;
  }

  @Override
  <T> T perform(Operation operation, String path, String other, Call<T> call) throws IOException {
    return call.run();
  }

  @Override
  Directory wrapChild(Directory child, String path) {
    return new WatchedDirectory(child, path, open);
  }

  @Override
  ReadableFile wrapReader(ReadableFile file, String path) {
    return new Reader(file);
  }

  @Override
  WritableFile wrapWriter(WritableFile file, String path) {
    return new Writer(file);
  }

  @Override
  Closeable wrapLock(Closeable lock, String path) {
    OpenResources.Token token = open.add("lock " + path() + " " + path, lock);
    return () -> {
      open.remove(token);
      lock.close();
    };
  }

  private final class Reader extends ForwardingReadableFile {
    private final OpenResources.Token token;

    Reader(ReadableFile file) {
      super(file);
      this.token = open.add("reader of " + file.path(), file);
    }

    @Override
    public void close() throws IOException {
      open.remove(token);
      super.close();
    }
  }

  private final class Writer extends ForwardingWritableFile {
    private final OpenResources.Token token;

    Writer(WritableFile file) {
      super(file);
      this.token = open.add("writer of " + file.path(), file);
    }

    @Override
    public void close() throws IOException {
      open.remove(token);
      super.close();
    }
  }
}
