package io.siltstone.bulk;

import io.siltstone.bytes.BigEndian;

/**
 * The form of a record in the memory of a sort: one row, static row or partition deletion, with the
 * key of its partition.
 *
 * <pre>
 *   length      int     bytes of the whole record
 *   token       long    of the partition key
 *   keyLength   short   unsigned
 *   key
 *   kind        byte    0 deletion, 1 static row, 2 row
 *   values      int×2   per clustering column, if it is a row: offset in the row, length
 *   content             a row as in Data.db, see {@code UnfilteredEncoder}; of a deletion two longs,
 *                       timestamp and local deletion time
 * </pre>
 */
final class RecordFormat {
  static final int TOKEN_AT = Integer.BYTES;
  static final int KEY_LENGTH_AT = TOKEN_AT + Long.BYTES;
  static final int KEY_AT = KEY_LENGTH_AT + Short.BYTES;
  static final int VALUE_BYTES = 2 * Integer.BYTES;
  static final byte DELETION = 0;
  static final byte STATIC = 1;
  static final byte ROW = 2;

  private RecordFormat() {}

  static int length(byte[] bytes, int record) {
    return BigEndian.getInt(bytes, record);
  }

  static int keyLength(byte[] bytes, int record) {
    return BigEndian.getUnsignedShort(bytes, record + KEY_LENGTH_AT);
  }

  static byte kind(byte[] bytes, int record) {
    return bytes[kindAt(bytes, record)];
  }

  static int kindAt(byte[] bytes, int record) {
    return record + KEY_AT + keyLength(bytes, record);
  }

  /** Returns the index of the first byte of the row or deletion. */
  static int contentFrom(byte[] bytes, int record, int clusteringColumns) {
    int kindAt = kindAt(bytes, record);
    return kindAt + 1 + (bytes[kindAt] == ROW ? clusteringColumns * VALUE_BYTES : 0);
  }
}
