package io.siltstone.sstable.big;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.data.BufferedOutput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of bytes that are collected before they can be written to their file. Few bytes are kept
 * in memory, more are spilled to a temporary file, so that a partition of any size is indexed in
 * constant memory.
 *
 * <p>Confined to one thread. {@link #reset()} and {@link #close()} delete the file; after a crash
 * it is left under a temporary name.
 */
final class SpillBuffer implements Closeable {
  private final Directory directory;
  private final String fileName;
  private final byte[] memory;
  private final ByteBuffer view;
  private int inMemory;
  private long spilled;
  private @Nullable WritableFile file;

  /**
   * @param fileName temporary name of the file, which is created only when it is needed
   * @param memoryBytes maximum number of bytes kept in memory
   */
  SpillBuffer(Directory directory, String fileName, int memoryBytes) {
    this.directory = directory;
    this.fileName = fileName;
    this.memory = new byte[memoryBytes];
    this.view = ByteBuffer.wrap(memory);
  }

  /** Returns the number of bytes. */
  long length() {
    return spilled + inMemory;
  }

  void write(byte[] from, int offset, int length) throws IOException {
    int at = offset;
    int left = length;
    while (left > 0) {
      if (inMemory == memory.length) {
        spill();
      }
      int part = Math.min(left, memory.length - inMemory);
      System.arraycopy(from, at, memory, inMemory, part);
      inMemory += part;
      at += part;
      left -= part;
    }
  }

  private void spill() throws IOException {
    WritableFile target = file;
    if (target == null) {
      target = directory.create(fileName, WriteIntent.OTHER);
      file = target;
    }
    view.position(0).limit(inMemory);
    target.write(view);
    spilled += inMemory;
    inMemory = 0;
  }

  /** Appends all its bytes to {@code out}. */
  void copyTo(BufferedOutput out) throws IOException {
    if (file != null) {
      // The bytes in memory must not be overwritten, so the file is read through an array of its
      // own.
      byte[] piece = new byte[8 * 1024];
      try (ReadableFile written = directory.open(fileName, ReadIntent.SCAN)) {
        for (long position = 0; position < spilled; ) {
          int count =
              written.read(position, piece, 0, (int) Math.min(piece.length, spilled - position));
          if (count <= 0) {
            throw new IOException(
                written.path()
                    + ": "
                    + spilled
                    + " bytes were written, "
                    + position
                    + " are there");
          }
          out.write(piece, 0, count);
          position += count;
        }
      }
    }
    out.write(memory, 0, inMemory);
  }

  /** Removes all bytes. */
  void reset() throws IOException {
    inMemory = 0;
    spilled = 0;
    WritableFile open = file;
    if (open != null) {
      file = null;
      open.close();
      directory.delete(fileName);
    }
  }

  @Override
  public void close() throws IOException {
    reset();
  }
}
