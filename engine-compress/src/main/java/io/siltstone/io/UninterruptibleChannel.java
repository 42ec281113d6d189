package io.siltstone.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FileChannel}, used by positions, that interrupts do not close.
 *
 * <p>An interrupt closes a channel for every thread that uses it. Therefore an interrupt that
 * occurred before a call is held back until the call is over. If one occurs during a call, it is
 * kept, and each thread concerned opens the channel again and repeats the call. That fails only if
 * the name is gone or belongs to another file.
 *
 * <p>Safe for use by all threads.
 */
final class UninterruptibleChannel implements Closeable {
  private static final Call READ = FileChannel::read;
  private static final Call WRITE = FileChannel::write;

  private final Path file;
  private final Opener opener;
  // Distinguishes this file from others of the same name; null where the file system has no
  // identity.
  private final @Nullable Object key;
  private volatile FileChannel channel;
  private volatile boolean closed;

  /** Opens the channel of an existing file. */
  interface Opener {
    FileChannel open() throws IOException;
  }

  // Created without captured variables, so that a read allocates nothing.
  private interface Call {
    int on(FileChannel channel, ByteBuffer buffer, long position) throws IOException;
  }

  /**
   * Takes over a channel.
   *
   * @param opener opens it again
   */
  UninterruptibleChannel(Path file, FileChannel channel, Opener opener) throws IOException {
    this.file = file;
    this.channel = channel;
    this.opener = opener;
    try {
      this.key = key(file);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  /** Opens a channel. */
  static UninterruptibleChannel open(Path file, Opener opener) throws IOException {
    return new UninterruptibleChannel(file, opener.open(), opener);
  }

  /**
   * Returns the identity of a file, null where the file system has none. The name must not be that
   * of a directory, which the kernel would open.
   */
  private static @Nullable Object key(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (attributes.isDirectory()) {
      throw new IOException(file + " is a directory");
    }
    return attributes.fileKey();
  }

  /**
   * Reads some bytes, or none at the end of the file.
   *
   * @return whether there may be more bytes: false at the end of the file
   */
  boolean read(ByteBuffer dst, long position) throws IOException {
    return call(READ, dst, position) >= 0;
  }

  /** Writes all remaining bytes. */
  void write(ByteBuffer src, long position) throws IOException {
    int from = src.position();
    while (src.hasRemaining()) {
      call(WRITE, src, position + src.position() - from);
    }
  }

  private int call(Call call, ByteBuffer buffer, long position) throws IOException {
    int from = buffer.position();
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel open = channel;
        try {
          return call.on(open, buffer, position);
        } catch (ClosedChannelException e) {
          // This thread was interrupted, or another one, or the file was closed.
          interrupted |= Thread.interrupted();
          reopen(open);
          if (buffer.position() > from) {
            // The interrupted call has moved bytes nevertheless; direct I/O may not be able to go
            // on at their end.
            return buffer.position() - from;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel gone) throws IOException {
    if (closed) {
      throw new ClosedFileException(file);
    }
    if (channel == gone) {
      FileChannel again = opener.open();
      try {
        if (!Objects.equals(key, key(file))) {
          throw new IOException(file + " has become another file, after an interrupt");
        }
      } catch (Throwable e) {
        again.close();
        throw e;
      }
      channel = again;
    }
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      throw new IOException(file + " cannot be closed: " + e.getMessage(), e);
    }
  }
}
