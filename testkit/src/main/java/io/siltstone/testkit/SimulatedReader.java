package io.siltstone.testkit;

import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Reads a file of a {@link SimulatedDisk}, with the content that it had when it was opened. */
final class SimulatedReader implements ReadableFile {
  private final SimulatedFileSystem disk;
  private final String path;
  private final byte[] bytes;
  private final int length;
  private boolean closed;

  SimulatedReader(SimulatedFileSystem disk, String path, SimulatedFile file) {
    this.disk = disk;
    this.path = path;
    this.bytes = file.bytes();
    this.length = file.length();
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    if (position < 0) {
      throw new IllegalArgumentException(path + ": position " + position + ", allowed 0 or more");
    }
    synchronized (disk.lock) {
      if (closed) {
        throw new ClosedChannelException();
      }
      disk.requirePower();
      int count = (int) Math.max(0, Math.min(dst.remaining(), length - position));
      if (count > 0) {
        dst.put(bytes, (int) position, count);
      }
      return count;
    }
  }

  @Override
  public void close() {
    synchronized (disk.lock) {
      closed = true;
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
