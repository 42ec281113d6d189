package io.siltstone.io;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

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

  /**
   * Returns access to the bytes of a mapped file in place, without copying them, for one thread;
   * null if the file has none, so that it has to be read. Wrappers have none, unless they override
   * this: what is lent is not read through them.
   */
  default @Nullable Loan loan() {
    return null;
  }

  /** The access of one thread to the bytes of a mapped file. There is nothing to close. */
  interface Loan {
    /**
     * Lends bytes. While they are lent the file stays mapped, even if it is closed.
     *
     * @return a direct buffer, big-endian, from whose position to whose limit they are, until
     *     {@link #end}, which must follow; null if they are not mapped in one piece or the file
     *     ends before: they have to be read then
     * @throws UnreadableFileException if the operating system cannot read them
     */
    @Nullable ByteBuffer begin(long position, int length) throws IOException;

    /** Ends the loan, after {@link #begin} has returned a buffer. */
    void end();
  }

  /** Closes the file. A second call does nothing. */
  @Override
  void close() throws IOException;
}
