package io.siltstone.sstable.check;

import io.siltstone.cursor.HeaderColumn;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.type.CqlType;
import java.util.List;

/**
 * Reads the set of columns that a row has, from the static or regular columns of the header.
 *
 * <pre>
 *   fewer than 64 columns   vint: one bit for each column that is missing
 *   64 columns or more      vint: how many are missing; then a vint for the index of each present column, if these are fewer than a half, else of each missing
 * </pre>
 *
 * Source of the form: Cassandra {@code Columns.Serializer}. Confined to one thread at a time.
 */
final class RowColumns {
  /** From this number of columns on, columns are listed rather than encoded as bits. */
  private static final int LISTED_COLUMNS = 64;

  private final StreamParser parser;
  private final int[] fixedLengths;
  private final boolean[] complex;
  private final boolean isAnyComplex;

  private int left;
  private boolean isWhole;
  private long bits;
  private int[] list = {};
  private int listLength;

  /**
   * Creates a reader.
   *
   * @param parser of the file, from whose buffer the columns are read
   */
  RowColumns(StreamParser parser, List<HeaderColumn> columns) {
    this.parser = parser;
    int count = columns.size();
    fixedLengths = new int[count];
    complex = new boolean[count];
    boolean any = false;
    for (int i = 0; i < count; i++) {
      CqlType type = columns.get(i).type();
      complex[i] = type.isMultiCell();
      any |= complex[i];
      fixedLengths[i] = complex[i] ? CqlType.VARIABLE_LENGTH : type.fixedLength();
    }
    isAnyComplex = any;
  }

  /** Returns whether a column has any number of cells, each with a path. */
  boolean isComplex(int column) {
    return complex[column];
  }

  /**
   * Returns the length of each value of a column; {@link CqlType#VARIABLE_LENGTH} if values have a
   * length.
   */
  int fixedLength(int column) {
    return fixedLengths[column];
  }

  /** Returns whether the row has all columns, and each of them has one cell without a path. */
  boolean isWholeAndSimple() {
    return isWhole && !isAnyComplex;
  }

  /** Returns the {@linkplain #fixedLength fixed lengths} of all columns, which are not changed. */
  int[] fixedLengths() {
    return fixedLengths;
  }

  /** Begins a row that has all columns; returns {@code at}, since nothing is written for them. */
  int parseAll(int at) {
    isWhole = true;
    left = fixedLengths.length;
    return at;
  }

  /**
   * Begins a row and reads the set of its columns.
   *
   * @return index after them; -1 if more bytes are needed
   */
  int parse(byte[] b, int from) throws OutputVerificationException {
    int count = fixedLengths.length;
    long missing = StreamParser.vint(b, from);
    int p = from + StreamParser.vintLength(b, from);
    if (missing == 0) {
      return parseAll(p);
    }
    isWhole = false;
    if (count >= LISTED_COLUMNS) {
      if (missing < 0 || missing > count) {
        throw wrong(from, missing + " missing columns", "up to " + count);
      }
      left = count - (int) missing;
      return parseList(b, p);
    }
    long all = (1L << count) - 1;
    if ((missing & ~all) != 0) {
      throw wrong(
          from, "missing columns 0x" + Long.toHexString(missing), "bits of " + count + " columns");
    }
    listLength = 0;
    bits = all & ~missing;
    left = Long.bitCount(bits);
    return p;
  }

  private int parseList(byte[] b, int from) throws OutputVerificationException {
    int count = fixedLengths.length;
    boolean isOfPresent = left < count / 2;
    if (list.length < count) {
      list = new int[count];
    }
    int listed = isOfPresent ? left : count - left;
    int p = from;
    int filled = 0;
    long last = -1;
    for (int i = 0; i < listed; i++) {
      if (p > parser.limit) {
        return -1;
      }
      long index = StreamParser.vint(b, p);
      if (index <= last || index >= count) {
        throw wrong(p, "column " + index, "one of " + (last + 1) + " to " + (count - 1));
      }
      p += StreamParser.vintLength(b, p);
      if (isOfPresent) {
        list[filled++] = (int) index;
      } else {
        for (long there = last + 1; there < index; there++) {
          list[filled++] = (int) there;
        }
      }
      last = index;
    }
    while (!isOfPresent && filled < left) {
      list[filled++] = (int) ++last;
    }
    listLength = left;
    return p;
  }

  private OutputVerificationException wrong(int at, String found, String expected) {
    return parser.wrong(parser.base + at, found, expected);
  }

  /** Returns the number of columns of the row that {@link #next} has not returned yet. */
  int left() {
    return left;
  }

  /** Moves to the next column of the row, which must exist, and returns its index. */
  int next() {
    int toCome = left--;
    if (isWhole) {
      return fixedLengths.length - toCome;
    }
    if (listLength > 0) {
      return list[listLength - toCome];
    }
    int index = Long.numberOfTrailingZeros(bits);
    bits &= bits - 1;
    return index;
  }
}
