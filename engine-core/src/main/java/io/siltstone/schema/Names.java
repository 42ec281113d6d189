package io.siltstone.schema;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The rules for names of keyspaces, tables and columns, and the order of names. Source: {@code
 * ColumnIdentifier}.
 */
final class Names {
  /** Maximum length of a keyspace's name, which names a directory. */
  static final int MAX_KEYSPACE_LENGTH = 48;

  /**
   * Maximum length of a table's name: with a dash and the 32 hex digits of its id it is a
   * directory's name of 255 bytes.
   */
  static final int MAX_TABLE_LENGTH = 222;

  /** Maximum length of a column's name, which is stored with a length of two bytes. */
  static final int MAX_COLUMN_BYTES = 65_535;

  /** The order of UTF-8 bytes, which differs from that of {@link String}. */
  static final Comparator<String> BY_BYTES =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private Names() {}

  /** Compares by {@link Column#NAME_ORDER}. */
  static int compareInCells(String left, String right) {
    byte[] a = left.getBytes(StandardCharsets.UTF_8);
    byte[] b = right.getBytes(StandardCharsets.UTF_8);
    boolean aFirst = a.length > 0 && a[0] < 0;
    boolean bFirst = b.length > 0 && b[0] < 0;
    return aFirst == bFirst ? Arrays.compareUnsigned(a, b) : aFirst ? -1 : 1;
  }

  /** Returns a text as a CQL string. */
  static String string(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** Returns what is wrong with the name of a keyspace or table; null if nothing is. */
  static @Nullable String wordProblem(String what, String name, int maxLength) {
    boolean word = !name.isEmpty() && name.length() <= maxLength;
    for (int i = 0; word && i < name.length(); i++) {
      char c = name.charAt(i);
      word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    }
    return word
        ? null
        : what
            + " name \""
            + name
            + "\", allowed 1 to "
            + maxLength
            + " letters, digits and underscores";
  }

  /** Returns what is wrong with the name of a column, type or field; null if nothing is. */
  static @Nullable String problem(String what, String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (utf8.length == 0 || utf8.length > MAX_COLUMN_BYTES) {
      return what + " of " + utf8.length + " bytes, allowed 1 to " + MAX_COLUMN_BYTES;
    }
    return new String(utf8, StandardCharsets.UTF_8).equals(name)
        ? null
        : what + " \"" + name + "\" is not Unicode text";
  }
}
