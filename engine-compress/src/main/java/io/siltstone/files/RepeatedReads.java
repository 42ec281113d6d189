package io.siltstone.files;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ForwardingReadableFile;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnreadableFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;

/**
 * Repeats reads that the operating system fails, for the salvage of a damaged file: a disk or
 * volume may answer the next time. What cannot be read in {@value #ATTEMPTS} attempts, as a bad
 * sector, counts as damage.
 */
public final class RepeatedReads {
  /** Number of attempts after which a read is given up. */
  public static final int ATTEMPTS = 3;

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
        if (!isOfSystem(e)) {
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
   * Returns whether an exception is the operating system's, about the file: not one about the
   * content, nor about a file that was closed or a thread that was interrupted.
   */
  public static boolean isOfSystem(IOException failure) {
    return failure instanceof UnreadableFileException
        || failure instanceof FileSystemException
        || failure.getClass() == IOException.class;
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
