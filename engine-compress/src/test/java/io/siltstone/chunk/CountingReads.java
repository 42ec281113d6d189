package io.siltstone.chunk;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Counts reads of another directory's files; some may fail. */
class CountingReads implements Directory {
  private final Directory inner;
  long reads;
  long bytes;

  CountingReads(Directory inner) {
    this.inner = inner;
  }

  /** Is about to read into the buffer. */
  void beforeRead(ByteBuffer dst) throws IOException {}

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    ReadableFile file = inner.open(name, intent);
    return new ReadableFile() {
      @Override
      public String path() {
        return file.path();
      }

      @Override
      public long length() {
        return file.length();
      }

      @Override
      public int read(long position, ByteBuffer dst) throws IOException {
        reads++;
        beforeRead(dst);
        int count = file.read(position, dst);
        bytes += count;
        return count;
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
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
  public long length(String name) throws IOException {
    return inner.length(name);
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    return inner.lastModifiedMillis(name);
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

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    inner.link(existing, target, name);
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
}
