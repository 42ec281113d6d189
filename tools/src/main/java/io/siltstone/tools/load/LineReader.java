package io.siltstone.tools.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the lines of a UTF-8 text. A line ends with {@code \n}, {@code \r\n} or the end of the
 * input; a byte order mark before the first line is skipped.
 *
 * <p>Its buffers grow to the longest line. Confined to one thread; the caller closes the stream.
 */
final class LineReader {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final InputStream in;
  private final int maxLineBytes;

  /** Reports malformed input instead of replacing it. */
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();

  private byte[] buffer = new byte[BUFFER_BYTES];
  private CharBuffer chars = CharBuffer.allocate(BUFFER_BYTES);
  private int filled;
  private int next;
  private boolean ended;

  private int from;
  private int to;
  private int terminatorLength;
  private long lineNumber;
  private long bytesRead;

  /**
   * @param maxLineBytes greatest length of a line, without its end
   */
  LineReader(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /** Returns the greatest length of a line in bytes, without its end. */
  int maxLineBytes() {
    return maxLineBytes;
  }

  /**
   * Returns the current line, from the beginning of an array that is reused for the next.
   *
   * @throws BadRowException if it is not UTF-8
   */
  CharBuffer text() {
    return decode(to);
  }

  /** Returns the current line like {@link #text}, with its line end. */
  CharBuffer textWithEnd() {
    return decode(to + terminatorLength);
  }

  private CharBuffer decode(int end) {
    if (chars.capacity() < end - from) {
      chars = CharBuffer.allocate(buffer.length);
    }
    ByteBuffer bytes = ByteBuffer.wrap(buffer, from, end - from);
    chars.clear();
    if (decoder.reset().decode(bytes, chars, true).isError()) {
      int bad = bytes.position();
      throw new BadRowException(
          "byte "
              + (bad - from + 1)
              + " is 0x"
              + Integer.toHexString(buffer[bad] & 0xff)
              + ", which is not UTF-8");
    }
    return chars.flip();
  }

  /** Returns the number of the current line, from 1. */
  long lineNumber() {
    return lineNumber;
  }

  /** Returns the number of bytes read from the stream so far. */
  long bytesRead() {
    return bytesRead;
  }

  /**
   * Moves to the next line.
   *
   * @return false after the last line
   * @throws BadRowException if the line is too long; reading continues with the line after it
   */
  boolean next() throws IOException {
    if (lineNumber == 0) {
      skipByteOrderMark();
    }
    int search = next;
    while (true) {
      int end = indexOfNewline(search);
      if (end >= 0) {
        lineNumber++;
        setLine(next, end);
        next = end + 1;
        checkLength();
        return true;
      }
      if (ended) {
        if (next == filled) {
          return false;
        }
        lineNumber++;
        from = next;
        to = filled;
        terminatorLength = 0;
        next = filled;
        checkLength();
        return true;
      }
      if (filled - next > maxLineBytes + 1) {
        lineNumber++;
        skipLine();
        throw tooLong();
      }
      search = fill();
    }
  }

  private void checkLength() {
    if (to - from > maxLineBytes) {
      throw tooLong();
    }
  }

  private BadRowException tooLong() {
    return new BadRowException("the line has more than " + maxLineBytes + " bytes allowed");
  }

  private void setLine(int start, int newline) {
    boolean carriageReturn = newline > start && buffer[newline - 1] == '\r';
    from = start;
    to = carriageReturn ? newline - 1 : newline;
    terminatorLength = carriageReturn ? 2 : 1;
  }

  private int indexOfNewline(int start) {
    byte[] bytes = buffer;
    int end = filled;
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Reads more input after what is in the buffer; returns the index of the new bytes. */
  private int fill() throws IOException {
    int rest = filled - next;
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, rest);
      next = 0;
      filled = rest;
    }
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(Integer.MAX_VALUE - 8, 2L * buffer.length));
    }
    int count = in.read(buffer, filled, buffer.length - filled);
    if (count < 0) {
      ended = true;
    } else {
      filled += count;
      bytesRead += count;
    }
    return rest;
  }

  private void skipLine() throws IOException {
    while (true) {
      int end = indexOfNewline(next);
      if (end >= 0) {
        next = end + 1;
        return;
      }
      next = filled;
      if (ended) {
        return;
      }
      fill();
    }
  }

  private void skipByteOrderMark() throws IOException {
    while (!ended && filled - next < 3) {
      fill();
    }
    if (filled - next >= 3
        && (buffer[next] & 0xff) == 0xef
        && (buffer[next + 1] & 0xff) == 0xbb
        && (buffer[next + 2] & 0xff) == 0xbf) {
      next += 3;
    }
  }
}
