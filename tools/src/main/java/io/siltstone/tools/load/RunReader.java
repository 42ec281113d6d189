package io.siltstone.tools.load;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import java.util.Arrays;

/** Reads the records of a sorted run sequentially. Closes the file. */
final class RunReader implements RecordStream {
  private final ReadableFile file;
  private byte[] buffer;
  private int filled;
  private int from;
  private int next;
  private long position;

  /**
   * @param buffer allocated before the file is opened, which would stay open if memory were short
   */
  RunReader(byte[] buffer, ReadableFile file) {
    this.buffer = buffer;
    this.file = file;
  }

  @Override
  public boolean next() throws IOException {
    if (filled - next < Integer.BYTES && !fill(Integer.BYTES)) {
      if (filled != next) {
        throw cut();
      }
      return false;
    }
    int length = RecordFormat.length(buffer, next);
    if (length < RecordFormat.KEY_AT || (filled - next < length && !fill(length))) {
      throw cut();
    }
    from = next;
    next += length;
    return true;
  }

  private CorruptFileException cut() {
    return new CorruptFileException(
        file.path(), position - filled + next, "a temporary file ends within a row");
  }

  /** Reads until {@code wanted} bytes are in the buffer; returns false if the file ends before. */
  private boolean fill(int wanted) throws IOException {
    int rest = filled - next;
    if (wanted > buffer.length) {
      buffer = Arrays.copyOfRange(buffer, next, next + wanted);
    } else {
      System.arraycopy(buffer, next, buffer, 0, rest);
    }
    next = 0;
    filled = rest;
    while (filled < wanted) {
      int count = file.read(position, buffer, filled, buffer.length - filled);
      if (count <= 0) {
        return false;
      }
      position += count;
      filled += count;
    }
    return true;
  }

  @Override
  public byte[] bytes() {
    return buffer;
  }

  @Override
  public int from() {
    return from;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
