package io.siltstone.io;

import io.siltstone.memory.References;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file mapped into memory, in segments, as one mapping holds 2 GiB at most.
 *
 * <p>Touching memory that is no longer mapped would end the process. So readers are counted, and
 * whoever leaves last after {@link #close()} unmaps; later ones get an exception. Nobody must cut
 * the file meanwhile: the JVM answers a read of pages that are gone by an {@link InternalError}
 * somewhere in the reading thread.
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
      return new MappedFile(file.toString(), length, Mapping.of(channel, length, SEGMENT_BYTES));
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
        dst.put(dst.position(), mapping.segment((int) (at >> SEGMENT_BITS)), from, part);
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
        mapping.segment((int) (at >> SEGMENT_BITS)).get(from, dst, offset + done, part);
        done += part;
      }
      return count;
    } finally {
      leave();
    }
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
