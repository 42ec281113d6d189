package io.siltstone.tools.load;

import java.util.Arrays;

/** The formatted values of one row, column by column. Reusable; confined to one thread. */
final class OutputRow {
  private static final int ABSENT = -1;

  private final StringBuilder text = new StringBuilder();
  private final int[] from;
  private final int[] to;
  private final int[] order;
  private int count;

  OutputRow(int columns) {
    from = new int[columns];
    to = new int[columns];
    order = new int[columns];
    Arrays.fill(from, ABSENT);
  }

  /**
   * Begins the next value: the caller appends it to the returned builder, and then calls {@link
   * #end}.
   */
  StringBuilder begin(int column) {
    from[column] = text.length();
    order[count++] = column;
    return text;
  }

  /** Ends the current value. */
  void end(int column) {
    to[column] = text.length();
  }

  /** Returns the number of values. */
  int count() {
    return count;
  }

  /** Removes all values after the first {@code kept}. */
  void truncate(int kept) {
    if (kept == count) {
      return;
    }
    text.setLength(from[order[kept]]);
    while (count > kept) {
      from[order[--count]] = ABSENT;
    }
  }

  boolean has(int column) {
    return from[column] != ABSENT;
  }

  /** Appends the value of a column, which must be present. */
  void appendTo(StringBuilder out, int column) {
    out.append(text, from[column], to[column]);
  }
}
