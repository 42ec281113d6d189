package io.siltstone.tools.load;

import java.io.IOException;
import java.io.Reader;
import java.nio.CharBuffer;

/**
 * Passes the lines of a text to a CSV parser, one at a time, so that the lines of a record are
 * known and another parser can continue after a wrong line. Confined to one thread.
 */
final class CsvLines extends Reader {
  private final LineReader lines;
  private final StringBuilder record = new StringBuilder();
  private CharBuffer rest = CharBuffer.allocate(0);
  private long firstLine;
  private boolean atEnd;

  /** The number of characters of the record in which quotes were counted. */
  private int counted;

  private boolean quoted;

  CsvLines(LineReader lines) {
    this.lines = lines;
  }

  /** Begins a record at the first character that was not consumed yet. */
  void beginRecord() {
    record.setLength(0);
    counted = 0;
    quoted = false;
  }

  /** Skips the rest of the line. */
  void skipLine() {
    rest.position(rest.limit());
  }

  /** Returns the number of the line in which the current record begins, from 1. */
  long firstLine() {
    return firstLine;
  }

  /** Returns whether the lines of the current record contain a text. */
  boolean recordContains(String part) {
    return record.indexOf(part) >= 0;
  }

  /** Returns whether there are no more lines. */
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

  /** Rejects a carriage return by itself, which the parser would take for the end of the record. */
  private void checkCarriageReturns(int start) {
    for (int i = record.indexOf("\r", start); i >= 0; i = record.indexOf("\r", i + 1)) {
      boolean endsLine = i + 1 < record.length() && record.charAt(i + 1) == '\n';
      if (!endsLine && !isQuoted(i)) {
        throw new BadRowException(
            "a carriage return without a line feed after it, allowed only between quotes");
      }
    }
  }

  /** Returns whether the number of quotes before an index is odd. */
  private boolean isQuoted(int at) {
    for (; counted < at; counted++) {
      quoted ^= record.charAt(counted) == '"';
    }
    return quoted;
  }

  /** Returns whether the line is empty; empty lines before a record do not belong to it. */
  private boolean isBlank() {
    return record.isEmpty() || (record.length() <= 2 && record.toString().isBlank());
  }

  @Override
  public void close() {}
}
