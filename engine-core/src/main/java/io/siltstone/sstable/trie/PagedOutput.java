package io.siltstone.sstable.trie;

import io.siltstone.bytes.BigEndian;
import io.siltstone.bytes.Vint;
import io.siltstone.io.WritableFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A buffered output that knows the pages of its file, over whose boundaries no node of a trie may
 * reach. Confined to one thread; takes the file over.
 */
public final class PagedOutput implements Closeable {
  /** The size of a page in bytes. */
  public static final int PAGE_BYTES = 4096;

  private static final int CAPACITY = 16 * PAGE_BYTES;
  private static final byte[] ZEROS = new byte[PAGE_BYTES];

  private final WritableFile file;
  private final byte[] bytes = new byte[CAPACITY];
  private final ByteBuffer view = ByteBuffer.wrap(bytes);
  private int count;

  /** Creates an output that appends to a file. */
  public PagedOutput(WritableFile file) {
    this.file = file;
  }

  /** Returns the number of bytes written so far, including those in the buffer. */
  public long position() {
    return file.position() + count;
  }

  /** Returns the number of bytes before the end of the page, a whole page at its beginning. */
  int leftInPage() {
    return PAGE_BYTES - (int) (position() & (PAGE_BYTES - 1));
  }

  /** Fills the rest of the page with zeros, unless the page has just begun. */
  void padPage() throws IOException {
    int left = leftInPage() & (PAGE_BYTES - 1);
    write(ZEROS, 0, left);
  }

  /** Appends bytes. */
  public void write(byte[] from, int offset, int length) throws IOException {
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

  /** Appends the lowest two bytes. */
  public void writeShort(int value) throws IOException {
    ensure(Short.BYTES);
    BigEndian.putShort(bytes, count, value);
    count += Short.BYTES;
  }

  /** Appends eight bytes. */
  public void writeLong(long value) throws IOException {
    ensure(Long.BYTES);
    BigEndian.putLong(bytes, count, value);
    count += Long.BYTES;
  }

  /** Appends an unsigned vint. */
  public void writeVint(long value) throws IOException {
    ensure(Vint.MAX_LENGTH);
    count = Vint.write(bytes, count, value);
  }

  /** Appends a signed vint. */
  public void writeSignedVint(long value) throws IOException {
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
    count = 0;
  }

  /** Writes the buffered bytes to the file and makes all of it durable. */
  public void sync() throws IOException {
    flush();
    file.sync();
  }

  /** Closes the file; buffered bytes are lost. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
