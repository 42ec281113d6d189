package io.siltstone.io;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file that is read by position. Its length is fixed when it is opened, as the engine never
 * reads a file that grows.
 *
 * <p>Safe for use by all threads. After {@link #close()} every read throws {@link
 * java.nio.channels.ClosedChannelException}, even a read that was running when the file was closed.
 */
public interface ReadableFile extends Closeable {

  /** Returns the full path, for messages. */
  String path();

  /** Returns the length in bytes at the time of opening. */
  long length();

  /**
   * Fills {@code dst} from its position to its limit, or to the end of the file if that comes
   * first.
   *
   * @param position offset in the file, not negative; a multiple of {@link #alignment()}
   * @param dst receives the bytes; its position advances by their count. If {@link #alignment()} is
   *     not 1 it must be direct, its address and the remaining bytes multiples of the alignment
   * @return bytes read, 0 at or after the end of the file
   * @throws IllegalArgumentException if the position is negative
   * @throws UnreadableFileException if the operating system cannot read it
   */
  int read(long position, ByteBuffer dst) throws IOException;

  /**
   * Reads into an array, otherwise as {@link #read(long, ByteBuffer)}; only for files of alignment
   * 1.
   */
  default int read(long position, byte[] dst, int offset, int length) throws IOException {
    return read(position, ByteBuffer.wrap(dst, offset, length));
  }

  /**
   * Fills all of {@code dst} from its position to its limit; only for files of alignment 1.
   *
   * @throws UnreadableFileException if the operating system cannot read the file, or returns fewer
   *     bytes
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
   * Returns the number of which positions, lengths and addresses must be multiples: 1, or the block
   * size for direct I/O.
   */
  default int alignment() {
    return 1;
  }

  /**
   * Returns whether the file is mapped into memory, so that a small read costs little more than the
   * copy.
   */
  default boolean isMapped() {
    return false;
  }

  /** Closes the file. A second call does nothing. */
  @Override
  void close() throws IOException;
}
