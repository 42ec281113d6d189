package io.siltstone.files;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.SyncFailedException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Copies files between directories, which may be on different file systems. */
public final class FileCopy {
  private static final int COPY_BYTES = 256 * 1024;

  private FileCopy() {}

  /** Receives the bytes of a file, a step at a time, in their order. */
  @FunctionalInterface
  public interface Step {
    /** Takes all bytes from the buffer's position to its limit. */
    void take(ByteBuffer bytes) throws IOException;
  }

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
    try (ReadableFile in = source.open(name, ReadIntent.SCAN)) {
      copy(in, in.length(), target, newName, bytes -> progress.accept(bytes.remaining()));
    }
  }

  /**
   * Links a file into another directory under the same name, and copies it where there are no links
   * or the directories are on different file systems; otherwise as {@link #copy(Directory, String,
   * Directory, String, LongConsumer)}.
   */
  public static void linkOrCopy(Directory source, String name, Directory target)
      throws IOException {
    try {
      source.linkSynced(name, target, name);
    } catch (SyncFailedException e) {
      // After a failed sync the content may be lost: it must not be copied.
      throw e;
    } catch (IllegalArgumentException | UnsupportedOperationException | IOException e) {
      if (target.exists(name)) {
        throw e;
      }
      try {
        copy(source, name, target, name, bytes -> {});
      } catch (IOException second) {
        second.addSuppressed(e);
        throw second;
      }
    }
  }

  /**
   * Copies the first bytes of an open file, otherwise as {@link #copy(Directory, String, Directory,
   * String, LongConsumer)}.
   *
   * @param length the number of bytes, at most the length of the file
   * @param step receives the bytes when they have been written
   */
  public static void copy(ReadableFile in, long length, Directory target, String newName, Step step)
      throws IOException {
    try (WritableFile out = target.create(newName, WriteIntent.OTHER)) {
      read(
          in,
          length,
          bytes -> {
            out.write(bytes);
            step.take(bytes.rewind());
          });
      out.sync();
    }
  }

  /**
   * Reads the first bytes of an open file.
   *
   * @param length the number of bytes
   * @throws IOException if the file has fewer
   */
  public static void read(ReadableFile in, long length, Step step) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    long position = 0;
    while (position < length) {
      buffer.clear().limit((int) Math.min(COPY_BYTES, length - position));
      int count = in.read(position, buffer);
      if (count <= 0) {
        throw new IOException(in.path() + ": read " + position + " bytes, its length is " + length);
      }
      position += count;
      step.take(buffer.flip());
    }
  }
}
