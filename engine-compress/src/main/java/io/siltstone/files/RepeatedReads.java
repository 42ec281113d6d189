package io.siltstone.files;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnreadableFileException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Repeats reads that fail, for the salvage of a damaged file: a disk or volume may answer the next
 * time. What cannot be read in three attempts, as a bad sector, counts as damage. A file that
 * cannot be opened, for lack of rights or of descriptors, does not.
 */
public final class RepeatedReads {
  private static final int ATTEMPTS = 3;

  private RepeatedReads() {}

  /** A read that can be repeated. */
  @FunctionalInterface
  public interface Read<R> {
    R run() throws IOException;
  }

  /**
   * Runs a read, again if it fails.
   *
   * @param path of the file that is read, for the message
   * @param offset of the read, or {@link CorruptFileException#WHOLE_FILE}
   * @throws CorruptFileException if all attempts failed
   */
  public static <R> R run(String path, long offset, Read<R> read) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return read.run();
      } catch (IOException e) {
        if (!isFailedRead(e)) {
          throw e;
        }
        if (attempt == ATTEMPTS) {
          throw new CorruptFileException(
              path, offset, "cannot be read, in " + ATTEMPTS + " attempts: " + e.getMessage(), e);
        }
      }
    }
  }

  /**
   * Returns whether the operating system could not read: not for wrong content, a file that was
   * closed or cannot be opened, or a thread that was interrupted.
   */
  private static boolean isFailedRead(IOException failure) {
    return failure instanceof UnreadableFileException || failure.getClass() == IOException.class;
  }

  /** Returns a view of a file whose reads are repeated. Closing it closes the file. */
  public static ReadableFile of(ReadableFile file) {
    return new ForwardingReadableFile(file) {
      @Override
      public int read(long position, ByteBuffer dst) throws IOException {
        int start = dst.position();
        return RepeatedReads.run(
            path(),
            position,
            () -> {
              dst.position(start);
              return super.read(position, dst);
            });
      }
    };
  }
}
