package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file read through a channel, buffered or direct.
 *
 * <p>An interrupt closes a {@link FileChannel} under the feet of every thread that reads through
 * it. So an interrupt that came before a read waits until it is over. Of one that comes during a
 * read, the interrupted reader sees an exception; for the others the channel is opened anew, which
 * fails if the name is gone or has become another file's.
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
  // Tells this file from others of the same name; null where the file system has no such thing.
  private final @Nullable Object key;
  private volatile FileChannel channel;
  private volatile boolean closed;

  ChannelFile(Path file, int alignment, Opener opener) throws IOException {
    this.file = file;
    this.alignment = alignment;
    this.opener = opener;
    this.channel = opener.open();
    try {
      this.length = channel.size();
      this.key = key(file);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
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
    Positions.check(path(), position);
    if (closed) {
      throw new ClosedChannelException();
    }
    int before = dst.position();
    long at = position;
    boolean interrupted = Thread.interrupted();
    try {
      while (dst.hasRemaining() && at < length) {
        int read = readSome(at, dst);
        if (read < 0) {
          break;
        }
        at += read;
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (position < length && at > length) {
      // The file has grown since it was opened; direct reads are of whole blocks besides.
      dst.position(before + (int) (length - position));
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
      FileChannel again = opener.open();
      if (!Objects.equals(key, key(file))) {
        again.close();
        throw new IOException(file + " has become another file, after an interrupt");
      }
      channel = again;
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
