package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A small file whose content was read when it was opened. It holds no file descriptor. */
final class LoadedFile implements ReadableFile {
  /** The largest file that is loaded. */
  private static final int MOST_BYTES = 256 << 10;

  private final Path file;
  private final byte[] content;
  private volatile boolean closed;

  private LoadedFile(Path file, byte[] content) {
    this.file = file;
    this.content = content;
  }

  /** Opens a file; one that is too large is not loaded, but read through its channel. */
  static ReadableFile open(Path file) throws IOException {
    return Uninterrupted.call(
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long length = channel.size();
            return length <= MOST_BYTES
                ? new LoadedFile(file, read(file, channel, (int) length))
                : ChannelFile.open(file);
          }
        });
  }

  private static byte[] read(Path file, FileChannel channel, int length) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(length);
    try {
      while (content.hasRemaining()) {
        if (channel.read(content, content.position()) < 0) {
          // It has become shorter meanwhile.
          byte[] rest = new byte[content.position()];
          content.flip().get(rest);
          return rest;
        }
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      if (Files.isDirectory(file)) {
        throw new IOException(file + " is a directory", e);
      }
      throw new UnreadableFileException(file.toString(), content.position(), e);
    }
    return content.array();
  }

  @Override
  public String path() {
    return file.toString();
  }

  @Override
  public long length() {
    return content.length;
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    Positions.check(path(), position);
    if (closed) {
      throw new ClosedFileException(file);
    }
    if (position >= content.length) {
      return 0;
    }
    int count = Math.min(dst.remaining(), content.length - (int) position);
    dst.put(content, (int) position, count);
    return count;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return path();
  }
}
