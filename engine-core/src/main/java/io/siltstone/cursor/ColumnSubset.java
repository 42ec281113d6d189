package io.siltstone.cursor;

import static io.siltstone.cursor.UnfilteredFormat.LARGE_COLUMN_COUNT;

import io.siltstone.bytes.Vint;

/**
 * Serializes which of the header's columns a row has, if it does not have all of them.
 *
 * <p>With fewer than {@link UnfilteredFormat#LARGE_COLUMN_COUNT} columns in the header it is a
 * bitmap of the missing ones. With more it is the number of missing columns, and then the indexes
 * of those that are present or of those that are missing, whichever are fewer. Source: Cassandra
 * {@code Columns.Serializer}.
 */
final class ColumnSubset {
  private ColumnSubset() {}

  /**
   * Writes a subset. It takes at most as many vints as the header has columns, and one more.
   *
   * @param indexes the indexes of the row's columns, ascending
   * @param present the number of the row's columns, less than {@code count}
   * @param count the number of columns in the header
   * @return the end of what was written
   */
  static int write(byte[] out, int to, int[] indexes, int present, int count) {
    if (count < LARGE_COLUMN_COUNT) {
      long missing = (1L << count) - 1;
      for (int i = 0; i < present; i++) {
        missing &= ~(1L << indexes[i]);
      }
      return Vint.write(out, to, missing);
    }
    int at = Vint.write(out, to, count - present);
    if (present < count / 2) {
      for (int i = 0; i < present; i++) {
        at = Vint.write(out, at, indexes[i]);
      }
      return at;
    }
    int next = 0;
    for (int column = 0; column < count; column++) {
      if (next < present && indexes[next] == column) {
        next++;
      } else {
        at = Vint.write(out, at, column);
      }
    }
    return at;
  }
}
