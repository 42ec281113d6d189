package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A directory whose files are kept on the heap, for tests and for small tables that need not
 * outlive the process. A file has at most 2 GiB.
 */
public final class MemoryDirectory implements Directory {
  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private final String path;
  // The lock of all directories of a tree; it guards the maps, the set and the files' content.
  private final Object lock;
  private final TreeMap<String, Content> files = new TreeMap<>();
  private final TreeMap<String, MemoryDirectory> children = new TreeMap<>();
  private final Set<String> locks = new HashSet<>();
  private long namesChangedMillis = System.currentTimeMillis();

  /** Creates an empty root directory, called {@code memory:}. */
  public MemoryDirectory() {
    this("memory:", new Object());
  }

  private MemoryDirectory(String path, Object lock) {
    this.path = path;
    this.lock = lock;
  }

  private static final class Content {
    private byte[] bytes = new byte[256];
    private int length;
    private long modifiedMillis = System.currentTimeMillis();
  }

  private void namesChanged() {
    namesChangedMillis = System.currentTimeMillis();
  }

  @Override
  public OptionalLong namesChangedMillis() {
    synchronized (lock) {
      return OptionalLong.of(namesChangedMillis);
    }
  }

  private String pathOf(String name) {
    return path + "/" + Directory.requireFileName(name);
  }

  private Content existing(String name) throws NoSuchFileException {
    Content content = files.get(name);
    if (content == null) {
      throw new NoSuchFileException(pathOf(name));
    }
    return content;
  }

  private void requireFree(String name) throws FileAlreadyExistsException {
    if (files.containsKey(name) || children.containsKey(name)) {
      throw new FileAlreadyExistsException(pathOf(name));
    }
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public List<String> files() {
    synchronized (lock) {
      return new ArrayList<>(files.keySet());
    }
  }

  @Override
  public List<String> directories() {
    synchronized (lock) {
      return new ArrayList<>(children.keySet());
    }
  }

  @Override
  public Directory directory(String name) throws IOException {
    String childPath = pathOf(name);
    synchronized (lock) {
      MemoryDirectory child = children.get(name);
      if (child == null) {
        requireFree(name);
        child = new MemoryDirectory(childPath, lock);
        children.put(name, child);
        namesChanged();
      }
      return child;
    }
  }

  @Override
  public void deleteDirectory(String name) throws IOException {
    String childPath = pathOf(name);
    synchronized (lock) {
      MemoryDirectory child = children.get(name);
      if (child == null) {
        throw new NoSuchFileException(childPath);
      }
      if (!child.files.isEmpty() || !child.children.isEmpty()) {
        throw new DirectoryNotEmptyException(childPath);
      }
      children.remove(name);
      namesChanged();
    }
  }

  @Override
  public boolean exists(String name) {
    Directory.requireFileName(name);
    synchronized (lock) {
      return files.containsKey(name);
    }
  }

  @Override
  public long length(String name) throws IOException {
    Directory.requireFileName(name);
    synchronized (lock) {
      return existing(name).length;
    }
  }

  @Override
  public long lastModifiedMillis(String name) throws IOException {
    Directory.requireFileName(name);
    synchronized (lock) {
      return existing(name).modifiedMillis;
    }
  }

  @Override
  public Object identity(String name) throws IOException {
    Directory.requireFileName(name);
    synchronized (lock) {
      return existing(name);
    }
  }

  @Override
  public ReadableFile open(String name, ReadIntent intent) throws IOException {
    String filePath = pathOf(name);
    synchronized (lock) {
      Content content = existing(name);
      return new Reader(filePath, content, content.length);
    }
  }

  @Override
  public WritableFile create(String name, WriteIntent intent) throws IOException {
    String filePath = pathOf(name);
    synchronized (lock) {
      requireFree(name);
      Content content = new Content();
      files.put(name, content);
      namesChanged();
      return new Writer(filePath, content);
    }
  }

  @Override
  public WritableFile append(String name) throws IOException {
    String filePath = pathOf(name);
    synchronized (lock) {
      return new Writer(filePath, existing(name));
    }
  }

  @Override
  public void truncate(String name, long length) throws IOException {
    synchronized (lock) {
      Content content = existing(name);
      if (length < 0 || length > content.length) {
        throw new IllegalArgumentException(
            pathOf(name) + " has " + content.length + " bytes, cannot be cut to " + length);
      }
      // Open readers keep the old array.
      content.bytes = Arrays.copyOf(content.bytes, Math.max(256, (int) length));
      content.length = (int) length;
      content.modifiedMillis = System.currentTimeMillis();
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Directory.requireFileName(from);
    Directory.requireFileName(to);
    synchronized (lock) {
      Content content = existing(from);
      if (content == files.get(to)) {
        return;
      }
      if (children.containsKey(to)) {
        throw new FileAlreadyExistsException(pathOf(to));
      }
      files.remove(from);
      files.put(to, content);
      namesChanged();
    }
  }

  @Override
  public void link(String existing, Directory target, String name) throws IOException {
    Directory.requireFileName(existing);
    if (!(target instanceof MemoryDirectory other) || other.lock != lock) {
      throw new IllegalArgumentException(
          target.path() + " is not of the same file system as " + path);
    }
    synchronized (lock) {
      other.requireFree(Directory.requireFileName(name));
      other.files.put(name, existing(existing));
      other.namesChanged();
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Directory.requireFileName(name);
    synchronized (lock) {
      existing(name);
      files.remove(name);
      namesChanged();
    }
  }

  @Override
  public void sync() {}

  @Override
  public Closeable lock(String name) throws IOException {
    String filePath = pathOf(name);
    synchronized (lock) {
      if (children.containsKey(name)) {
        throw new IOException(filePath + " is a directory");
      }
      if (!locks.add(name)) {
        throw new LockedException(filePath + " is locked by this process");
      }
      files.computeIfAbsent(name, missing -> new Content());
      AtomicBoolean held = new AtomicBoolean(true);
      return () -> {
        synchronized (lock) {
          if (held.getAndSet(false)) {
            locks.remove(name);
          }
        }
      };
    }
  }

  @Override
  public long usableSpace() {
    return Runtime.getRuntime().maxMemory();
  }

  @Override
  public String toString() {
    return path;
  }

  private static final class Reader implements ReadableFile {
    private final String filePath;
    private final byte[] bytes;
    private final int length;
    private volatile boolean closed;

    Reader(String filePath, Content content, int length) {
      this.filePath = filePath;
      this.bytes = content.bytes;
      this.length = length;
    }

    @Override
    public String path() {
      return filePath;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public int read(long position, ByteBuffer dst) throws IOException {
      Positions.check(filePath, position);
      if (closed) {
        throw new ClosedChannelException();
      }
      int count = (int) Math.max(0, Math.min(dst.remaining(), length - position));
      if (count > 0) {
        dst.put(bytes, (int) position, count);
      }
      return count;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class Writer implements WritableFile {
    private final String filePath;
    private final Content content;
    private boolean closed;

    Writer(String filePath, Content content) {
      this.filePath = filePath;
      this.content = content;
    }

    @Override
    public String path() {
      return filePath;
    }

    @Override
    public long position() {
      synchronized (lock) {
        return content.length;
      }
    }

    @Override
    public void write(ByteBuffer src) throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      synchronized (lock) {
        long needed = (long) content.length + src.remaining();
        if (needed > MAX_BYTES) {
          throw new IOException(
              filePath + " would have " + needed + " bytes, allowed " + MAX_BYTES);
        }
        if (needed > content.bytes.length) {
          content.bytes =
              Arrays.copyOf(
                  content.bytes, (int) Math.min(MAX_BYTES, Math.max(needed, 2L * content.length)));
        }
        int count = src.remaining();
        src.get(content.bytes, content.length, count);
        content.length += count;
        content.modifiedMillis = System.currentTimeMillis();
      }
    }

    @Override
    public void sync() throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
