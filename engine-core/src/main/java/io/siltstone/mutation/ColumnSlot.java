package io.siltstone.mutation;

import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;

/**
 * A static or regular column with its index in the encoding.
 *
 * @param column of the table
 * @param index among the encoding's static or regular columns
 */
record ColumnSlot(Column column, int index) {

  boolean isStatic() {
    return column.kind() == ColumnKind.STATIC;
  }
}
