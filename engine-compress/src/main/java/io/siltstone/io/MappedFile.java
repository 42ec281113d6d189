package io.siltstone.io;

import io.siltstone.threads.References;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that is mapped into memory, in segments, as one mapping holds at most 2 GiB.
 *
 * <p>An access to memory that is no longer mapped would end the process. Therefore readers are
 * counted, and the last one that ends after {@link #close()} unmaps the file; later ones get an
 * exception.
 *
 * <p>The bytes are only copied out, by {@link MappedCopy}, so that a page that cannot be read is an
 * {@link UnreadableFileException} here. Nothing else may access a segment. If a file is truncated
 * while it is open, the rest of its last page reads as zeros.
 */
final class MappedFile implements ReadableFile {
  private static final int SEGMENT_BITS = 30;
  private static final long SEGMENT_BYTES = 1L << SEGMENT_BITS;

  private final String path;
  private final long length;
  private final Mapping mapping;
  private final References readers;

  private MappedFile(String path, long length, Mapping mapping) {
    this.path = path;
    this.length = length;
    this.mapping = mapping;
    this.readers = new References(mapping::unmap);
  }

  static MappedFile open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size();
      return new MappedFile(file.toString(), length, map(file, channel, length));
    }
  }

  private static Mapping map(Path file, FileChannel channel, long length) throws IOException {
    try {
      return Mapping.of(channel, length, SEGMENT_BYTES);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      // The error does not name the file: the file has become shorter, or there are too many
      // mappings.
      throw new UnreadableFileException(file.toString(), 0, e);
    }
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
    Positions.check(path, position);
    enter();
    try {
      int count = available(position, dst.remaining());
      int left = count;
      long at = position;
      while (left > 0) {
        int from = (int) (at & (SEGMENT_BYTES - 1));
        int part = (int) Math.min(left, SEGMENT_BYTES - from);
        ByteBuffer segment = mapping.segment((int) (at >> SEGMENT_BITS));
        if (!MappedCopy.copy(segment, from, dst, dst.position(), part)) {
          throw unreadable(at);
        }
        dst.position(dst.position() + part);
        at += part;
        left -= part;
      }
      return count;
    } finally {
      leave();
    }
  }

  @Override
  public int read(long position, byte[] dst, int offset, int length) throws IOException {
    Positions.check(path, position);
    enter();
    try {
      int count = available(position, length);
      int done = 0;
      while (done < count) {
        long at = position + done;
        int from = (int) (at & (SEGMENT_BYTES - 1));
        int part = (int) Math.min(count - done, SEGMENT_BYTES - from);
        ByteBuffer segment = mapping.segment((int) (at >> SEGMENT_BITS));
        if (!MappedCopy.copy(segment, from, dst, offset + done, part)) {
          throw unreadable(at);
        }
        done += part;
      }
      return count;
    } finally {
      leave();
    }
  }

  private UnreadableFileException unreadable(long position) {
    return new UnreadableFileException(path, position, new IOException(reason()));
  }

  private String reason() {
    try {
      long now = Files.size(Path.of(path));
      if (now < length) {
        return "the file has " + now + " bytes, " + length + " when it was opened";
      }
    } catch (IOException e) {
      // The file was deleted or cannot be examined. The pages may still be those of the old file.
    }
    return "the operating system does not supply a page of the mapped file";
  }

  private int available(long position, int wanted) {
    return (int) Math.max(0, Math.min(wanted, length - position));
  }

  private void enter() throws IOException {
    if (!readers.tryAcquire()) {
      throw new ClosedChannelException();
    }
  }

  private void leave() {
    readers.release();
  }

  @Override
  public boolean isMapped() {
    return true;
  }

  @Override
  public void close() {
    readers.giveUp();
  }

  @Override
  public String toString() {
    return path;
  }
}
