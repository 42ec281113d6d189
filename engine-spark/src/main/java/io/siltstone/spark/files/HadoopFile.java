package io.siltstone.spark.files;

import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnreadableFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * A file of one of Hadoop's file systems, read by position. Safe for use by all threads, as
 * Hadoop's reads by position are.
 */
final class HadoopFile implements ReadableFile {
  private final FSDataInputStream stream;
  private final String path;
  private final long length;
  private volatile boolean isClosed;

  /** Takes over the stream. */
  HadoopFile(FSDataInputStream stream, String path, long length) {
    this.stream = stream;
    this.path = path;
    this.length = length;
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
    int wanted = wanted(position, dst.remaining());
    if (dst.hasArray()) {
      read(position, dst.array(), dst.arrayOffset() + dst.position(), wanted);
      dst.position(dst.position() + wanted);
    } else {
      byte[] bytes = new byte[wanted];
      read(position, bytes, 0, wanted);
      dst.put(bytes);
    }
    return wanted;
  }

  @Override
  public int read(long position, byte[] dst, int offset, int count) throws IOException {
    int wanted = wanted(position, count);
    if (isClosed) {
      throw new ClosedChannelException();
    }
    try {
      stream.readFully(position, dst, offset, wanted);
    } catch (IOException e) {
      if (isClosed) {
        ClosedChannelException closed = new ClosedChannelException();
        closed.initCause(e);
        throw closed;
      }
      throw new UnreadableFileException(path, position, e);
    }
    return wanted;
  }

  /** Returns how many bytes there are from a position on, at most as many as asked for. */
  private int wanted(long position, int count) {
    if (position < 0) {
      throw new IllegalArgumentException(path + ": position " + position + ", allowed 0 or more");
    }
    return (int) Math.max(0, Math.min(count, length - position));
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    stream.close();
  }
}
