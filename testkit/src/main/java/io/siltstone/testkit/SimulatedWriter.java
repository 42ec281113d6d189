package io.siltstone.testkit;

import io.siltstone.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Appends to a file of a {@link SimulatedDisk}. */
final class SimulatedWriter implements WritableFile {
  private final SimulatedFileSystem disk;
  private final String path;
  private final SimulatedFile file;
  private boolean closed;

  SimulatedWriter(SimulatedFileSystem disk, String path, SimulatedFile file) {
    this.disk = disk;
    this.path = path;
    this.file = file;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long position() {
    synchronized (disk.lock) {
      return file.length();
    }
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    synchronized (disk.lock) {
      requireOpen();
      disk.begin(Operation.WRITE, path);
      if (src.remaining() > Integer.MAX_VALUE - 8 - file.length()) {
        throw new IOException(path + " would have more than 2 GiB");
      }
      byte[] bytes = new byte[src.remaining()];
      src.get(bytes);
      file.append(bytes, bytes.length, disk.clockMillis());
    }
  }

  @Override
  public void sync() throws IOException {
    synchronized (disk.lock) {
      requireOpen();
      disk.begin(Operation.SYNC, path);
      file.sync();
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
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
