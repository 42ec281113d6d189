package io.siltstone.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where the content of an encrypted file is: the length of the content, and the page of each
 * position. Pages that are written at once all have 4,096 bytes of content, so that one number
 * describes any count of them; another number is kept wherever a page has less. Immutable when it
 * was read.
 *
 * <p>The pages of a log are all read, as damage may be anywhere before its end. Of other files, the
 * last page is read, and those that are needed to find the shorter ones by bisection.
 */
final class EncryptedLayout {
  /** The layout of a file without content. */
  static final EncryptedLayout EMPTY = new EncryptedLayout();

  // From the page of each run on, up to the next run, pages are full but for the last of them.
  private long[] runPages = new long[4];
  private long[] runStarts = new long[4];
  private int runs;
  private long length;
  private long pages;
  private long storedEnd = EncryptedFormat.HEADER_BYTES;
  private boolean isTorn;

  private EncryptedLayout() {}

  /**
   * Reads the layout of a file.
   *
   * @param isUnfinished whether it is still written, so that its last page may be missing
   * @throws CorruptFileException if it is no log, and its end is missing or damaged
   */
  static EncryptedLayout read(
      ReadableFile stored, EncryptedHeader header, boolean isUnfinished, PageCiphers ciphers)
      throws IOException {
    if (header.isMissing() || stored.length() <= EncryptedFormat.HEADER_BYTES) {
      return EMPTY;
    }
    EncryptedLayout layout = new EncryptedLayout();
    layout.pages = EncryptedFormat.pages(stored.length());
    PageCipher cipher = ciphers.take();
    if (header.isLog()) {
      layout.readLog(stored, cipher);
    } else {
      layout.readSealed(stored, header, isUnfinished, cipher);
    }
    ciphers.giveBack(cipher);
    return layout;
  }

  private void readLog(ReadableFile stored, PageCipher cipher) throws IOException {
    for (long page = 0; page < pages; page += EncryptedFormat.MOST_PAGES) {
      int count = (int) Math.min(EncryptedFormat.MOST_PAGES, pages - page);
      ByteBuffer in = readPages(stored, page, count, cipher);
      for (int i = 0; i < count; i++) {
        readLogPage(in, page + i, i * EncryptedFormat.PAGE_BYTES, cipher);
      }
    }
    isTorn = storedEnd != stored.length();
  }

  private void readLogPage(ByteBuffer in, long page, int pageAt, PageCipher cipher) {
    int limit = Math.min(in.limit(), pageAt + EncryptedFormat.PAGE_BYTES);
    boolean isFirst = true;
    int at = pageAt;
    while (cipher.isFrame(at, limit) && cipher.position(at) >= length) {
      if (isFirst) {
        addPage(page, cipher.position(at));
        isFirst = false;
      }
      length = cipher.position(at) + cipher.length(at);
      at += cipher.length(at) + EncryptedFormat.OVERHEAD;
      storedEnd = EncryptedFormat.pageStart(page) + at - pageAt;
    }
    if (isFirst) {
      addPage(page, length);
    }
  }

  private void readSealed(
      ReadableFile stored, EncryptedHeader header, boolean isUnfinished, PageCipher cipher)
      throws IOException {
    long last = pages - 1;
    ByteBuffer in = readPages(stored, last, 1, cipher);
    int at = 0;
    int end = 0;
    while (end < in.limit()) {
      at = end;
      if (!cipher.isFrame(at, in.limit()) || !cipher.open(at, header.fileKey())) {
        if (isUnfinished) {
          // Some of the page has been written: the file is what was written before.
          readWhole(stored, header, last, cipher);
          return;
        }
        throw new CorruptFileException(
            stored.path(),
            length,
            "the last page is damaged or incomplete, and all before it may be intact");
      }
      length = cipher.position(at) + cipher.length(at);
      end = at + cipher.length(at) + EncryptedFormat.OVERHEAD;
    }
    if (!cipher.isEnd(at) && !isUnfinished) {
      throw new CorruptFileException(
          stored.path(), length, "the file ends here, but its last page is missing");
    }
    storedEnd = stored.length();
    long lastStart = cipher.position(0);
    if (lastStart > last * EncryptedFormat.CONTENT_BYTES || lastStart < last) {
      throw new CorruptFileException(
          stored.path(), lastStart, "page " + last + " cannot begin at this position");
    }
    addPage(0, 0);
    bisect(stored, 0, 0, last, lastStart, cipher);
  }

  /** Reads the first pages of a file that is still written. */
  private void readWhole(ReadableFile stored, EncryptedHeader header, long count, PageCipher cipher)
      throws IOException {
    pages = count;
    length = 0;
    if (count > 0) {
      readSealed(stored, header, true, cipher);
    }
  }

  /** Finds the pages between two that do not begin where they would if all were full. */
  private void bisect(
      ReadableFile stored, long from, long fromStart, long to, long toStart, PageCipher cipher)
      throws IOException {
    if (toStart - fromStart == (to - from) * EncryptedFormat.CONTENT_BYTES) {
      return;
    }
    if (to - from == 1) {
      addPage(to, toStart);
      return;
    }
    long middle = (from + to) >>> 1;
    ByteBuffer in = cipher.pages(EncryptedFormat.HEAD_BYTES).limit(EncryptedFormat.HEAD_BYTES);
    stored.readFully(EncryptedFormat.pageStart(middle), in);
    long start = cipher.position(0);
    if (start < fromStart + (middle - from) || start > toStart - (to - middle)) {
      throw new CorruptFileException(
          stored.path(),
          fromStart,
          "page " + middle + ", after this position, is damaged: it begins at " + start);
    }
    bisect(stored, from, fromStart, middle, start, cipher);
    bisect(stored, middle, start, to, toStart, cipher);
  }

  /** Reads stored pages in one call, into the cipher's buffer. */
  static ByteBuffer readPages(ReadableFile stored, long page, int count, PageCipher cipher)
      throws IOException {
    long from = EncryptedFormat.pageStart(page);
    int bytes = (int) Math.min((long) count * EncryptedFormat.PAGE_BYTES, stored.length() - from);
    ByteBuffer in = cipher.pages(bytes).limit(bytes);
    stored.readFully(from, in);
    return in.flip();
  }

  private void addPage(long page, long start) {
    if (runs > 0) {
      long full = (page - runPages[runs - 1]) * EncryptedFormat.CONTENT_BYTES;
      if (runStarts[runs - 1] + full == start) {
        return;
      }
    }
    if (runs == runPages.length) {
      runPages = Arrays.copyOf(runPages, 2 * runs);
      runStarts = Arrays.copyOf(runStarts, 2 * runs);
    }
    runPages[runs] = page;
    runStarts[runs] = start;
    runs++;
  }

  /** Returns the length of the content in bytes. */
  long length() {
    return length;
  }

  /** Returns the number of pages, whole or begun. */
  long pages() {
    return pages;
  }

  /** Returns where the last intact frame ends in the file. */
  long storedEnd() {
    return storedEnd;
  }

  /** Returns whether the last intact frame is followed by a part of another one. */
  boolean isTorn() {
    return isTorn;
  }

  /** Returns the page that has a position of the content, less than its length. */
  long pageOf(long position) {
    int run = last(runStarts, position);
    long page = runPages[run] + (position - runStarts[run]) / EncryptedFormat.CONTENT_BYTES;
    long next = run + 1 < runs ? runPages[run + 1] : pages;
    return Math.min(page, next - 1);
  }

  /** Returns the position of the content at which a page begins. */
  long startOf(long page) {
    int run = last(runPages, page);
    return runStarts[run] + (page - runPages[run]) * EncryptedFormat.CONTENT_BYTES;
  }

  /** Returns the last run whose value is not greater than the given one. */
  private int last(long[] values, long value) {
    int low = 0;
    int high = runs - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (values[middle] <= value) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
