package io.siltstone.io;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file, read by position. Its length is fixed when it is opened: nothing the engine reads
 * grows.
 *
 * <p>Safe for all threads. After {@link #close()} every read throws {@link
 * java.nio.channels.ClosedChannelException}, also in a thread that was reading while it was closed.
 */
public interface ReadableFile extends Closeable {

  /** The full path, for messages. */
  String path();

  /** Length in bytes at the time of opening. */
  long length();

  /**
   * Fills {@code dst} from its position to its limit, or to the end of the file if that comes
   * first.
   *
   * @param position offset in the file, not negative; a multiple of {@link #alignment()}
   * @param dst where the bytes go; its position advances by their count. If {@link #alignment()} is
   *     not 1 it must be direct, its address and the remaining bytes multiples of the alignment
   * @return bytes read, 0 at or behind the end of the file
   * @throws IllegalArgumentException if the position is negative
   * @throws UnreadableFileException if the operating system cannot read it
   */
  int read(long position, ByteBuffer dst) throws IOException;

  /** As {@link #read(long, ByteBuffer)} into an array; only for files of alignment 1. */
  default int read(long position, byte[] dst, int offset, int length) throws IOException {
    return read(position, ByteBuffer.wrap(dst, offset, length));
  }

  /**
   * Fills all of {@code dst} from its position to its limit; only for files of alignment 1.
   *
   * @throws UnreadableFileException if the operating system cannot read it, or gives fewer bytes
   */
  default void readFully(long position, ByteBuffer dst) throws IOException {
    long at = position;
    while (dst.hasRemaining()) {
      int count = read(at, dst);
      if (count <= 0) {
        throw new UnreadableFileException(
            path(),
            at,
            new EOFException("ends here, " + dst.remaining() + " bytes before what was asked for"));
      }
      at += count;
    }
  }

  /**
   * What positions, lengths and addresses must be multiples of: 1, or the block size under direct
   * I/O.
   */
  default int alignment() {
    return 1;
  }

  /** Whether it lies in memory, so that a small read costs little more than its bytes. */
  default boolean isMapped() {
    return false;
  }

  /** Closes the file. A second call does nothing. */
  @Override
  void close() throws IOException;
}
