package io.siltstone.sstable.data;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A buffer of small writes to a file. Confined to one thread; takes the file over. */
public class BufferedOutput implements Closeable {
  private static final int CAPACITY = 64 * 1024;

  private final WritableFile file;
  private final byte[] bytes = new byte[CAPACITY];
  private final ByteBuffer view = ByteBuffer.wrap(bytes);
  private int count;
  // The position of the file, at which the buffer begins.
  private long start;

  /** Creates an output that appends to a file. */
  public BufferedOutput(WritableFile file) {
    this.file = file;
    this.start = file.position();
  }

  /** Returns the number of bytes written so far, including those in the buffer. */
  public final long position() {
    return start + count;
  }

  /** Appends bytes. */
  public final void write(byte[] from, int offset, int length) throws IOException {
    int at = offset;
    int left = length;
    while (left > 0) {
      int part = Math.min(left, CAPACITY - count);
      System.arraycopy(from, at, bytes, count, part);
      count += part;
      at += part;
      left -= part;
      if (count == CAPACITY) {
        flush();
      }
    }
  }

  /** Appends the lowest byte. */
  public final void writeByte(int value) throws IOException {
    ensure(1);
    bytes[count++] = (byte) value;
  }

  /** Appends the lowest two bytes. */
  public final void writeShort(int value) throws IOException {
    ensure(Short.BYTES);
    BigEndian.putShort(bytes, count, value);
    count += Short.BYTES;
  }

  /** Appends eight bytes. */
  public final void writeLong(long value) throws IOException {
    ensure(Long.BYTES);
    BigEndian.putLong(bytes, count, value);
    count += Long.BYTES;
  }

  /** Appends an unsigned vint. */
  public final void writeVint(long value) throws IOException {
    ensure(Vint.MAX_LENGTH);
    count = Vint.write(bytes, count, value);
  }

  /** Appends a signed vint. */
  public final void writeSignedVint(long value) throws IOException {
    ensure(Vint.MAX_LENGTH);
    count = Vint.writeSigned(bytes, count, value);
  }

  private void ensure(int room) throws IOException {
    if (CAPACITY - count < room) {
      flush();
    }
  }

  private void flush() throws IOException {
    view.position(0).limit(count);
    file.write(view);
    start = file.position();
    count = 0;
  }

  /** Writes the buffered bytes to the file and makes all of it durable. */
  public final void sync() throws IOException {
    flush();
    file.sync();
  }

  /** Closes the file; buffered bytes are lost. */
  @Override
  public final void close() throws IOException {
    file.close();
  }
}
