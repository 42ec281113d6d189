package io.siltstone.tools.load;

import io.siltstone.bytes.BigEndian;

/**
 * A row on its way through the sort, in memory and in temporary files.
 *
 * <pre>
 *   length      int     bytes of the whole record
 *   token       long    of the partition key
 *   keyLength   short   unsigned
 *   key
 *   kind        byte    0 static row, 1 row
 *   values      int×2   per clustering column, if it is a row: offset in the row, length
 *   row                 as in Data.db, see {@code UnfilteredEncoder}
 * </pre>
 */
final class RecordFormat {
  static final int TOKEN_AT = Integer.BYTES;
  static final int KEY_LENGTH_AT = TOKEN_AT + Long.BYTES;
  static final int KEY_AT = KEY_LENGTH_AT + Short.BYTES;
  static final int VALUE_BYTES = 2 * Integer.BYTES;
  static final byte STATIC = 0;
  static final byte ROW = 1;

  private RecordFormat() {}

  static int length(byte[] bytes, int record) {
    return BigEndian.getInt(bytes, record);
  }

  static long token(byte[] bytes, int record) {
    return BigEndian.getLong(bytes, record + TOKEN_AT);
  }

  static int keyLength(byte[] bytes, int record) {
    return BigEndian.getUnsignedShort(bytes, record + KEY_LENGTH_AT);
  }

  static boolean isStatic(byte[] bytes, int record) {
    return bytes[kindAt(bytes, record)] == STATIC;
  }

  static int kindAt(byte[] bytes, int record) {
    return record + KEY_AT + keyLength(bytes, record);
  }

  /** Returns the index of the row's first byte. */
  static int rowFrom(byte[] bytes, int record, int clusteringColumns) {
    int kindAt = kindAt(bytes, record);
    return kindAt + 1 + (bytes[kindAt] == STATIC ? 0 : clusteringColumns * VALUE_BYTES);
  }
}
