package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the content of an encrypted file. The pages of a read are read in one call, up to 66 of
 * them, and decrypted into the caller's buffer.
 */
final class EncryptedReader implements ReadableFile {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ReadableFile stored;
  private final EncryptedHeader header;
  private final EncryptedLayout layout;
  private final PageCiphers ciphers;

  /** Takes over the stored file. */
  EncryptedReader(
      ReadableFile stored, EncryptedHeader header, EncryptedLayout layout, PageCiphers ciphers) {
    this.stored = stored;
    this.header = header;
    this.layout = layout;
    this.ciphers = ciphers;
  }

  /** Returns whether the file was created as a log. */
  boolean isLog() {
    return header.isLog();
  }

  @Override
  public String path() {
    return stored.path();
  }

  @Override
  public long length() {
    return layout.length();
  }

  @Override
  public int read(long position, ByteBuffer dst) throws IOException {
    Positions.check(path(), position);
    int count = (int) Math.max(0, Math.min(dst.remaining(), length() - position));
    if (count == 0) {
      // Throws if the file is closed.
      return stored.read(0, NOTHING.duplicate());
    }
    PageCipher cipher = ciphers.take();
    long at = position;
    long end = position + count;
    while (at < end) {
      at = readPages(at, end, dst, cipher);
    }
    ciphers.giveBack(cipher);
    return count;
  }

  /**
   * Reads as many pages as one call can.
   *
   * @return the position after what was read
   */
  private long readPages(long from, long to, ByteBuffer dst, PageCipher cipher) throws IOException {
    long first = layout.pageOf(from);
    int pages = (int) Math.min(EncryptedFormat.MOST_PAGES, layout.pageOf(to - 1) - first + 1);
    long end = Math.min(to, startOfPage(first + pages));
    ByteBuffer in = EncryptedLayout.readPages(stored, first, pages, cipher);
    int base = dst.position();
    if (isLog()) {
      for (int i = base; i < base + (int) (end - from); i++) {
        dst.put(i, (byte) 0);
      }
    }
    long expected = layout.startOf(first);
    for (int pageAt = 0; pageAt < in.limit() && expected < end; ) {
      int next = Math.min(in.limit(), pageAt + EncryptedFormat.PAGE_BYTES);
      expected = readPage(pageAt, next, expected, from, end, dst, base, cipher);
      pageAt = next;
    }
    if (expected < end && !isLog()) {
      throw damaged(expected);
    }
    dst.position(base + (int) (end - from));
    return end;
  }

  private long startOfPage(long page) {
    return page < layout.pages() ? layout.startOf(page) : length();
  }

  /**
   * Decrypts the frames of a page that have a part of what is read.
   *
   * @param expected the position at which the page begins in the content
   * @return the position after the page, or after {@code to}
   */
  private long readPage(
      int pageAt,
      int limit,
      long expected,
      long from,
      long to,
      ByteBuffer dst,
      int base,
      PageCipher cipher)
      throws IOException {
    long position = expected;
    int at = pageAt;
    while (position < to && limit - at > EncryptedFormat.OVERHEAD) {
      boolean isFrame = cipher.isFrame(at, limit);
      long start = isFrame ? cipher.position(at) : -1;
      if (isLog() ? start < position : start != position) {
        if (isLog()) {
          return position;
        }
        throw damaged(position);
      }
      int length = cipher.length(at);
      if (start + length > from && start < to) {
        boolean isAuthentic = cipher.open(at, header.fileKey());
        if (isAuthentic) {
          int skipped = (int) Math.max(0, from - start);
          int count = (int) Math.min(length, to - start) - skipped;
          dst.put(base + (int) (start + skipped - from), cipher.content(), skipped, count);
        } else if (!isLog()) {
          throw damaged(position);
        }
      }
      position = start + length;
      at += length + EncryptedFormat.OVERHEAD;
    }
    return position;
  }

  private CorruptFileException damaged(long position) {
    return new CorruptFileException(
        path(), position, "the page cannot be authenticated: it was damaged, changed or moved");
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }

  /** Returns the path. */
  @Override
  public String toString() {
    return path();
  }
}
