package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that is written through a channel and the page cache. */
final class ChannelWritableFile implements WritableFile {
  private final Path file;
  private final UninterruptibleChannel channel;
  private final FileSync durable;
  private long position;
  private volatile @Nullable IOException failure;

  /** Takes over the channel, and the object that syncs the file. */
  ChannelWritableFile(Path file, UninterruptibleChannel channel, FileSync durable, long position) {
    this.file = file;
    this.channel = channel;
    this.durable = durable;
    this.position = position;
  }

  @Override
  public String path() {
    return file.toString();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(ByteBuffer src) throws IOException {
    checkUsable();
    try {
      int count = src.remaining();
      channel.write(src, position);
      position += count;
    } catch (IOException e) {
      throw failed("cannot be written at offset " + position, e);
    }
  }

  @Override
  public void sync() throws IOException {
    checkUsable();
    try {
      durable.sync();
    } catch (IOException e) {
      failure = e;
      throw new SyncFailedException(path(), e);
    }
  }

  /** Adds the file to the message, as the operating system's message does not name it. */
  private IOException failed(String what, IOException e) {
    failure = e;
    return new IOException(file + " " + what + ": " + e.getMessage(), e);
  }

  private void checkUsable() throws IOException {
    if (channel.isClosed() && failure == null) {
      throw new ClosedFileException(file);
    }
    if (failure != null) {
      throw new IOException(
          file + " is not used any more after an earlier failure: " + failure, failure);
    }
  }

  @Override
  public void close() throws IOException {
    try (durable) {
      channel.close();
    }
  }

  @Override
  public String toString() {
    return path();
  }
}
