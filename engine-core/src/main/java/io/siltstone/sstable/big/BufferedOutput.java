package io.siltstone.sstable.big;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Buffers small writes to a file. Confined to one thread; takes the file over. */
final class BufferedOutput implements Closeable {
  private static final int CAPACITY = 64 * 1024;

  private final WritableFile file;
  private final byte[] bytes = new byte[CAPACITY];
  private final ByteBuffer view = ByteBuffer.wrap(bytes);
  private int count;

  BufferedOutput(WritableFile file) {
    this.file = file;
  }

  /** Returns the number of bytes written so far, including those in the buffer. */
  long position() {
    return file.position() + count;
  }

  void write(byte[] from, int offset, int length) throws IOException {
    int at = offset;
    int left = length;
    while (left > 0) {
      if (count == CAPACITY) {
        flush();
      }
      int part = Math.min(left, CAPACITY - count);
      System.arraycopy(from, at, bytes, count, part);
      count += part;
      at += part;
      left -= part;
    }
  }

  void writeByte(int value) throws IOException {
    ensure(1);
    bytes[count++] = (byte) value;
  }

  void writeShort(int value) throws IOException {
    ensure(Short.BYTES);
    BigEndian.putShort(bytes, count, value);
    count += Short.BYTES;
  }

  void writeVint(long value) throws IOException {
    ensure(Vint.MAX_LENGTH);
    count = Vint.write(bytes, count, value);
  }

  private void ensure(int room) throws IOException {
    if (CAPACITY - count < room) {
      flush();
    }
  }

  private void flush() throws IOException {
    view.position(0).limit(count);
    file.write(view);
    count = 0;
  }

  /** Writes the buffered bytes to the file and makes all of it durable. */
  void sync() throws IOException {
    flush();
    file.sync();
  }

  /** Closes the file; buffered bytes are lost. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
