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

  /** Characters of the record whose quotes have been counted, which are of an odd number or not. */
  private int counted;

  private boolean quoted;

  CsvLines(LineReader lines) {
    this.lines = lines;
  }

  /** Begins a record, at what has not been taken yet. */
  void beginRecord() {
    record.setLength(0);
    counted = 0;
    quoted = false;
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
      beginRecord();
      firstLine = lines.lineNumber() + 1;
    }
    if (!lines.next()) {
      atEnd = true;
      return false;
    }
    rest = lines.textWithEnd();
    int start = record.length();
    record.append(rest);
    checkCarriageReturns(start);
    if (record.length() > lines.maxLineBytes()) {
      throw new BadRowException(
          "the row has more than " + lines.maxLineBytes() + " characters allowed");
    }
    return true;
  }

  /** The parser would take one that stands alone for the end of the record. */
  private void checkCarriageReturns(int start) {
    for (int i = record.indexOf("\r", start); i >= 0; i = record.indexOf("\r", i + 1)) {
      boolean endsLine = i + 1 < record.length() && record.charAt(i + 1) == '\n';
      if (!endsLine && !isQuoted(i)) {
        throw new BadRowException(
            "a carriage return without a newline behind it, allowed only between quotes");
      }
    }
  }

  /** Whether the quotes before that place are of an odd number. */
  private boolean isQuoted(int at) {
    for (; counted < at; counted++) {
      quoted ^= record.charAt(counted) == '"';
    }
    return quoted;
  }

  /** Empty lines before a record do not belong to it. */
  private boolean isBlank() {
    return record.isEmpty() || (record.length() <= 2 && record.toString().isBlank());
  }

  @Override
  public void close() {}
}
