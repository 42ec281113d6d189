package io.siltstone.mutation;

import io.siltstone.schema.Column;
import io.siltstone.schema.ColumnKind;

/**
 * A static or regular column and its place in the encoding.
 *
 * @param column as the table has it
 * @param index among the encoding's static or regular columns
 */
record ColumnSlot(Column column, int index) {

  boolean isStatic() {
    return column.kind() == ColumnKind.STATIC;
  }
}
