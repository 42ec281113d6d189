package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A file read through a channel, buffered or direct.
 *
 * <p>An interrupt closes a {@link FileChannel} under the feet of every thread that reads through
 * it. Here only the interrupted reader sees an exception; for the others the channel is opened
 * anew.
 */
final class ChannelFile implements ReadableFile {
  /** Opens the channel, now and again. */
  interface Opener {
    FileChannel open() throws IOException;
  }

  private final Path file;
  private final int alignment;
  private final Opener opener;
  private final long length;
  private volatile FileChannel channel;
  private volatile boolean closed;

  ChannelFile(Path file, int alignment, Opener opener) throws IOException {
    this.file = file;
    this.alignment = alignment;
    this.opener = opener;
    this.channel = opener.open();
    try {
      this.length = channel.size();
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public String path() {
    return file.toString();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int alignment() {
    return alignment;
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    int before = dst.position();
    long at = position;
    while (dst.hasRemaining() && at < length) {
      int read = readSome(at, dst);
      if (read < 0) {
        break;
      }
      at += read;
    }
    return dst.position() - before;
  }

  private int readSome(long position, ByteBuffer dst) throws IOException {
    while (true) {
      FileChannel open = channel;
      try {
        return open.read(dst, position);
      } catch (ClosedByInterruptException e) {
        reopen(open);
        throw e;
      } catch (ClosedChannelException e) {
        // Another reader was interrupted, or the file was closed.
        reopen(open);
      }
    }
  }

  private synchronized void reopen(FileChannel gone) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (channel == gone) {
      channel = opener.open();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }

  @Override
  public String toString() {
    return path();
  }
}
