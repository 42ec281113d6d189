package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Another directory whose files and locks are noted while they are open. */
final class WatchedDirectory extends ForwardingDirectory {
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

  private final class Reader implements ReadableFile {
    private final ReadableFile file;
    private final OpenResources.Token token;

    Reader(ReadableFile file) {
      this.file = file;
      this.token = open.add("reader of " + file.path(), file);
    }

    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long length() {
      return file.length();
    }

    @Override
    public int alignment() {
      return file.alignment();
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      return file.read(position, dst);
    }

    @Override
    public int read(long position, byte[] dst, int offset, int length) throws IOException {
      return file.read(position, dst, offset, length);
    }

    @Override
    public void close() throws IOException {
      open.remove(token);
      file.close();
    }
  }

  private final class Writer implements WritableFile {
    private final WritableFile file;
    private final OpenResources.Token token;

    Writer(WritableFile file) {
      this.file = file;
      this.token = open.add("writer of " + file.path(), file);
    }

    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long position() {
      return file.position();
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      file.write(src);
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      open.remove(token);
      file.close();
    }
  }
}
