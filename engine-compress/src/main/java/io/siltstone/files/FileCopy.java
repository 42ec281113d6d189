package io.siltstone.files;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Copies files between directories, which may be on different file systems. */
public final class FileCopy {
  private static final int COPY_BYTES = 256 * 1024;

  private FileCopy() {}

  /**
   * Copies a file. Its content is durable on return, its name after a sync of the directory. After
   * a failure a part of it may be there.
   *
   * @param progress receives the number of bytes of each step
   * @throws java.nio.file.FileAlreadyExistsException if the new name is taken
   */
  public static void copy(
      Directory source, String name, Directory target, String newName, LongConsumer progress)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    try (ReadableFile in = source.open(name, ReadIntent.SCAN);
        WritableFile out = target.create(newName, WriteIntent.OTHER)) {
      long position = 0;
      while (in.read(position, buffer) > 0) {
        int count = buffer.position();
        position += count;
        out.write(buffer.flip());
        buffer.clear();
        progress.accept(count);
      }
      if (position != in.length()) {
        throw new IOException(
            in.path() + ": read " + position + " bytes, its length is " + in.length());
      }
      out.sync();
    }
  }
}
