package io.siltstone.rows;

/**
 * A column vector of a caller, which a {@link ColumnarReader} fills with the values of one column,
 * such as a column of a batch of Spark or Arrow, or an array. Values of a type arrive by one
 * method, whatever the row:
 *
 * <pre>
 *   boolean                                  putBoolean
 *   tinyint, smallint, int                   putByte, putShort, putInt
 *   bigint, counter                          putLong; of a counter the sum
 *   date                                     putInt    days since 1970, negative before
 *   timestamp                                putLong   milliseconds since 1970
 *   time                                     putLong   nanoseconds since midnight
 *   float, double                            putFloat, putDouble
 *   text, ascii                              putBytes  UTF-8 and ASCII
 *   all others                               putBytes  serialized, as {@link Row#getSerialized}
 * </pre>
 *
 * <p>Collections and user types are whole values, also where the table keeps a cell per element.
 *
 * <p>An implementation needs the methods of its column's type only. Narrow integers are widened: a
 * vector that implements {@link #putLong} alone takes all integers, and one that implements {@link
 * #putDouble} takes floats. All other methods refuse with an {@link UnsupportedOperationException}.
 *
 * <p>Within a batch, a reader puts each row from 0 on, in order, exactly once. It calls a vector
 * from the thread that calls {@link ColumnarReader#fill} only.
 */
public interface ColumnVector {

  /** Puts null: there is no value. */
  void putNull(int row);

  /** Puts a boolean. */
  default void putBoolean(int row, boolean value) {
    throw new UnsupportedOperationException("takes no booleans: " + getClass().getName());
  }

  /** Puts an integer of one byte; as a short unless overridden. */
  default void putByte(int row, byte value) {
    putShort(row, value);
  }

  /** Puts an integer of two bytes; as an int unless overridden. */
  default void putShort(int row, short value) {
    putInt(row, value);
  }

  /** Puts an integer of four bytes; as a long unless overridden. */
  default void putInt(int row, int value) {
    putLong(row, value);
  }

  /** Puts an integer of eight bytes. */
  default void putLong(int row, long value) {
    throw new UnsupportedOperationException("takes no integers: " + getClass().getName());
  }

  /** Puts a float; as a double unless overridden. */
  default void putFloat(int row, float value) {
    putDouble(row, value);
  }

  /** Puts a double. */
  default void putDouble(int row, double value) {
    throw new UnsupportedOperationException(
        "takes no floating point numbers: " + getClass().getName());
  }

  /**
   * Puts bytes.
   *
   * @param from has them; valid during the call only, and must not be changed
   * @param offset of the first one
   * @param length 0 or more
   */
  default void putBytes(int row, byte[] from, int offset, int length) {
    throw new UnsupportedOperationException("takes no bytes: " + getClass().getName());
  }

  /**
   * Returns whether {@link #putTimes} is to be called; false unless overridden. Asked once per
   * batch.
   */
  default boolean takesTimes() {
    return false;
  }

  /**
   * Puts the times of the value that was put last, of a column that is not of the primary key:
   * CQL's {@code WRITETIME} and {@code TTL}. Not called after {@link #putNull}. Does nothing unless
   * overridden.
   *
   * @param timestampMicros the timestamp of the value, in microseconds since 1970 by the writer's
   *     clock; of a multi-cell column that of its newest cell
   * @param ttlSeconds until the value expires, counted from the time of the query; of a multi-cell
   *     column until the first of its cells does; 0 if it never expires
   */
  default void putTimes(int row, long timestampMicros, int ttlSeconds) {}
}
