package io.siltstone.mutation;

import io.siltstone.schema.Column;
import io.siltstone.schema.TableSchema;
import io.siltstone.type.CqlType;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects as values of a table's columns. Its errors name table, column, type and the
 * object's class. Immutable, safe for use by all threads.
 */
final class ValueEncoder {
  private final TableSchema schema;

  ValueEncoder(TableSchema schema) {
    this.schema = schema;
  }

  /** For messages. */
  String tableName() {
    return schema.keyspace() + '.' + schema.name();
  }

  /** For messages. */
  String describe(Column column) {
    return "column '"
        + column.name()
        + "' ("
        + column.valueType().cqlName()
        + ") of "
        + tableName();
  }

  /** Returns the serialized value of a column; for a multi-cell column that of the frozen type. */
  byte[] encode(Column column, Object value) {
    return encode(column, column.valueType(), value, "");
  }

  /**
   * Returns the serialized form of a part of a column's value.
   *
   * @param part for messages, e.g. {@code "key of "}
   */
  byte[] encode(Column column, CqlType type, @Nullable Object value, String part) {
    if (value == null) {
      throw new IllegalArgumentException(part + describe(column) + ": null is not allowed");
    }
    try {
      return type.encodeOrCopy(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(part + describe(column) + ": " + e.getMessage(), e);
    }
  }
}
