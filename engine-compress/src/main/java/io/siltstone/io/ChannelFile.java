package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is read through a channel, buffered or with direct I/O. */
final class ChannelFile implements ReadableFile {
  private final Path file;
  private final int alignment;
  private final UninterruptibleChannel channel;
  private final long length;

  private ChannelFile(Path file, int alignment, UninterruptibleChannel channel, long length) {
    this.file = file;
    this.alignment = alignment;
    this.channel = channel;
    this.length = length;
  }

  /** Opens a file for buffered reads. */
  static ChannelFile open(Path file) throws IOException {
    return open(file, 1, () -> FileChannel.open(file, StandardOpenOption.READ));
  }

  static ChannelFile open(Path file, int alignment, UninterruptibleChannel.Opener opener)
      throws IOException {
    return Uninterrupted.call(
        () -> {
          FileChannel first = opener.open();
          try {
            long length = first.size();
            return new ChannelFile(
                file, alignment, new UninterruptibleChannel(file, first, opener), length);
          } catch (Throwable e) {
            first.close();
            throw e;
          }
        });
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
    if (channel.isClosed()) {
      throw new ClosedFileException(file);
    }
    int before = dst.position();
    long at = position;
    try {
      while (dst.hasRemaining() && at < length && channel.read(dst, at)) {
        at = position + dst.position() - before;
      }
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      // The operating system's message does not name the file.
      throw new UnreadableFileException(path(), at, e);
    }
    if (position < length && at > length) {
      // The file has grown since it was opened, or direct I/O has read the rest of the last block.
      dst.position(before + (int) (length - position));
    }
    return dst.position() - before;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return path();
  }
}
