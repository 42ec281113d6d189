package io.siltstone.rows;

import io.siltstone.bytes.BigEndian;
import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.util.Map;

/**
 * Transfers serialized values of a column to the vector of a caller, by the method of the column's
 * type. Immutable, safe for all threads; allocates nothing.
 */
final class ColumnTransfer {
  private enum Form {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    DAYS,
    COUNTER,
    FLOAT,
    DOUBLE,
    BYTES
  }

  private static final Map<CqlType, Form> FORMS =
      Map.of(
          CqlTypes.BOOLEAN, Form.BOOLEAN,
          CqlTypes.TINYINT, Form.BYTE,
          CqlTypes.SMALLINT, Form.SHORT,
          CqlTypes.INT, Form.INT,
          CqlTypes.BIGINT, Form.LONG,
          CqlTypes.TIME, Form.LONG,
          CqlTypes.DATE, Form.DAYS,
          CqlTypes.FLOAT, Form.FLOAT,
          CqlTypes.DOUBLE, Form.DOUBLE);

  // By its name, which the timestamps of very old tables have, too.
  private static final String TIMESTAMP = "timestamp";

  private final CqlType type;
  private final Form form;
  private final boolean isEmptyNull;

  ColumnTransfer(CqlType of) {
    this.type = of.unreversed();
    this.form = formOf(type);
    this.isEmptyNull = form != Form.BYTES || isEmptyNull(type);
  }

  private static Form formOf(CqlType type) {
    if (type.isCounter()) {
      return Form.COUNTER;
    }
    return type.cqlName().equals(TIMESTAMP) ? Form.LONG : FORMS.getOrDefault(type, Form.BYTES);
  }

  private static boolean isEmptyNull(CqlType type) {
    try {
      return type.decode(new byte[0], 0, 0) == null;
    } catch (IllegalArgumentException e) {
      // No value of the type is empty.
      return false;
    }
  }

  /**
   * Puts a value.
   *
   * @return whether it is one, and not null
   * @throws IllegalArgumentException if the bytes are no value of the type
   */
  boolean put(byte[] block, int offset, int length, ColumnVector into, int row) {
    if (length == 0 && isEmptyNull) {
      into.putNull(row);
      return false;
    }
    if (form != Form.BYTES) {
      type.validate(block, offset, length);
    }
    switch (form) {
      case BOOLEAN -> into.putBoolean(row, block[offset] != 0);
      case BYTE -> into.putByte(row, block[offset]);
      case SHORT -> into.putShort(row, BigEndian.getShort(block, offset));
      case INT -> into.putInt(row, BigEndian.getInt(block, offset));
      case LONG -> into.putLong(row, BigEndian.getLong(block, offset));
      // Stored from the least day on, as an unsigned number.
      case DAYS -> into.putInt(row, BigEndian.getInt(block, offset) ^ Integer.MIN_VALUE);
      case COUNTER -> into.putLong(row, CqlTypes.counterValue(block, offset, length));
      case FLOAT -> into.putFloat(row, Float.intBitsToFloat(BigEndian.getInt(block, offset)));
      case DOUBLE -> into.putDouble(row, Double.longBitsToDouble(BigEndian.getLong(block, offset)));
      case BYTES -> into.putBytes(row, block, offset, length);
    }
    return true;
  }
}
