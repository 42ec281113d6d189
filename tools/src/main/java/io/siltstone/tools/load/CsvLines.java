package io.siltstone.tools.load;

import java.io.IOException;
import java.io.Reader;
import java.nio.CharBuffer;

/**
 * The lines of a text for a parser of CSV, not more than one at a time, so that it is known which
 * lines a record takes, and so that another parser can go on behind a line that is wrong. Confined
 * to one thread.
 */
final class CsvLines extends Reader {
  private final LineReader lines;
  private final StringBuilder record = new StringBuilder();
  private CharBuffer rest = CharBuffer.allocate(0);
  private long firstLine;
  private boolean atEnd;

  CsvLines(LineReader lines) {
    this.lines = lines;
  }

  /** Begins a record, at what has not been taken yet. */
  void beginRecord() {
    record.setLength(0);
  }

  /** Passes over what is left of the line. */
  void skipLine() {
    rest.position(rest.limit());
  }

  /** Line that the present record begins in, from 1. */
  long firstLine() {
    return firstLine;
  }

  /** Whether the lines that the present record takes contain a text. */
  boolean recordContains(String part) {
    return record.indexOf(part) >= 0;
  }

  /** Whether there are no more lines. */
  boolean isAtEnd() {
    return atEnd;
  }

  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    if (!rest.hasRemaining() && !nextLine()) {
      return -1;
    }
    int count = Math.min(length, rest.remaining());
    rest.get(into, offset, count);
    return count;
  }

  private boolean nextLine() throws IOException {
    if (isBlank()) {
      record.setLength(0);
      firstLine = lines.lineNumber() + 1;
    }
    if (!lines.next()) {
      atEnd = true;
      return false;
    }
    rest = lines.textWithEnd();
    record.append(rest);
    if (record.length() > lines.maxLineBytes()) {
      throw new BadRowException(
          "the row has more than " + lines.maxLineBytes() + " characters allowed");
    }
    return true;
  }

  /** Empty lines before a record do not belong to it. */
  private boolean isBlank() {
    return record.isEmpty() || (record.length() <= 2 && record.toString().isBlank());
  }

  @Override
  public void close() {}
}
